export { playground } from "./playground";
export { type MakeKnobs } from "./knobs";
