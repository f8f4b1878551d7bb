/** What each notebook runs, stores, draws and claims, and the jobs that `sweep` runs for it. */
export * from "./agenticPomdp";
export * from "./echoTrap";
export * from "./grpo";
export * from "./exactTraining";
export * from "./impossibility";
export * from "./languageModel";
export * from "./mismatch";
export * from "./offPolicy";
export * from "./reportCard";
export * from "./rewardSignal";
export * from "./search";
export * from "./startHere";
export * from "./stepCredit";
export * from "./updateOrder";
export * from "./worlds";
export { shareInterval } from "../base/share";
export { Verdict } from "../base/verdict";
export type { Setting } from "./verdict/condition";
export type { Evidence } from "./verdict/decide";
export {
  above,
  exactly,
  gain,
  gainInHalves,
  share,
  shareGain,
  type Effect,
  type Halves,
} from "./verdict/effect";
export { verdict, verdicts, type Condition, type Question } from "./verdict/verdict";
export { claims } from "./claims";
export { measured } from "./files/measured";
export { storedTable, type StoredRow } from "./storedTable";
export type { CalculatorTask } from "../env";
export type { EnvFacts } from "../env/registry";
