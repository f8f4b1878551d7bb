export { bootstrapInterval, type BootstrapOptions, type Interval } from "../base/interval";
export { difference } from "../base/difference";
export {
  interquartileMean,
  trainSeeds,
  type SeedOptions,
  type SeedRuns,
  type SeedSummary,
} from "./trainSeeds";
export {
  orderAblation,
  orderArms,
  orderRecipe,
  type OrderAblationOptions,
  type OrderArm,
  type OrderResult,
  type OrderWorld,
} from "./orderAblation";
export { orderStudy, orderTask, type OrderStudyPart } from "./orderStudy";
export { type GridCount } from "./gridJob";
export { merge } from "./merge";
export { type OneOrMany, type RunOptions, type SweepOptions, type TrainGrid } from "./options";
export { type Hopeless, type Shard, type SweepPlan, type SweepTask } from "./plan";
export { progressLine, progressText, type CellProgress, type SweepProgress } from "./progress";
export { readSweep, type ResultRow, type SweepFile } from "./resultFile";
export { storedTable, type StoredRow } from "./storedTable";
export { sweep, SweepError, SweepRun, type SweepOutcome, type SweepResult } from "./sweep";
export { type JobContext } from "./task";
export { followInTerminal } from "./terminal";
export { type TrainJobOptions, type TrainJobResult } from "./trainJob";
export * from "./echoTrap";
export {
  environmentBudget,
  environmentRecipe,
  environmentRun,
  worlds,
  type EnvironmentResult,
  type EnvironmentRule,
  type World,
} from "./environmentRun";
export * from "./offPolicy";
export * from "./policyRun";
export * from "./policyTable";
export * from "./rewardSignal";
export * from "./agentic";
export {
  environmentReference,
  environmentTable,
  withEnvironmentTable,
  type EnvironmentReference,
  type EnvironmentRow,
} from "./environmentTable";
