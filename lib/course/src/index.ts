/** What each notebook runs, stores, draws and claims, and the jobs that `sweep` runs for it. */
export * from "./06-agentic-pomdp";
export * from "./04-echo-trap";
export * from "./01-grpo-from-scratch";
export * from "./exactTraining";
export * from "./02-impossibility-theorem";
export * from "./10-language-model";
export * from "./05-off-policy-stability/mismatch";
export * from "./05-off-policy-stability";
export * from "turnwise/internal/card/index";
export * from "./07-reward-signal";
export * from "./09-search-and-world-models";
export * from "./00-start-here";
export * from "./08-step-credit";
export * from "./03-update-order-ablation";
export * from "./worlds";
export { shareInterval } from "turnwise/internal/base/share";
export { Verdict } from "turnwise/internal/base/verdict";
export type { Setting } from "turnwise/internal/verdict/condition";
export type { Evidence } from "turnwise/internal/verdict/decide";
export {
  above,
  exactly,
  gain,
  gainInHalves,
  share,
  shareGain,
  type Effect,
  type Halves,
} from "turnwise/internal/verdict/effect";
export { verdict, verdicts, type Condition, type Question } from "turnwise/internal/verdict/verdict";
export { claims } from "./claims";
export { measured } from "./shared/measured";
export { storedTable, type StoredRow } from "./shared/storedTable";
export type { CalculatorTask } from "turnwise/internal/env/index";
export type { EnvFacts } from "turnwise/internal/env/registry";
