export * from "./fields";
export { knobsOf, type Knob } from "./knobs";
export { optionRows, type OptionRow } from "./optionRows";
export { resolve, type Attempt } from "./resolve";
export type { Given, Static } from "./types";
