export { playground } from "./open";
export { type MakeKnobs } from "./knobs";
