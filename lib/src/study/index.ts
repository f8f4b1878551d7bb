/** What each notebook runs, stores, draws and claims, and the jobs that `sweep` runs for it. */
export * from "./agenticPomdp";
export * from "./echoTrap";
export * from "./impossibility";
export * from "./offPolicy";
export * from "./reportCard";
export * from "./rewardSignal";
export * from "./updateOrder";
export * from "./worlds";
export { storedTable, type StoredRow } from "./storedTable";
export type { CalculatorTask } from "../env";
export type { EnvFacts } from "../env/registry";
