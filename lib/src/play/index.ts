export { playground, type Playground, type PlaygroundOptions } from "./playground";
export { knobsSymbol, type KnobPanel, type MakeKnobs } from "./knobs";
export type { SettingName } from "./settings";
