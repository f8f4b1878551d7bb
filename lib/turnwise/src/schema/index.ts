export {
  currentPath,
  noticeDeprecated,
  renamed,
  renamedWords,
  withCurrentNames,
  withFormerNames,
} from "./deprecatedNames";
export * from "./fields";
export { knobsOf } from "./knobs";
export { quoted } from "./leaf";
export { optionRows, type OptionRow } from "./optionRows";
export { resolve } from "./resolve";
export type { Given, Static } from "./types";
