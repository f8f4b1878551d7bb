export { bootstrapInterval, type BootstrapOptions, type Interval } from "../base/interval";
export { difference } from "../base/difference";
export {
  interquartileMean,
  trainSeeds,
  type SeedOptions,
  type SeedRuns,
  type SeedSummary,
} from "./trainSeeds";
export { merge } from "./merge";
export { type RunOptions, type SweepOptions } from "./options";
export { type OneOrMany, type TrainGrid } from "./trainGrid";
export { type Hopeless, type Shard, type SweepPlan, type SweepTask } from "./plan";
export { progressLine, progressText, type CellProgress, type SweepProgress } from "./progress";
export { readSweep, type ResultRow, type SweepFile } from "./resultFile";
export { sweep, SweepError, SweepRun, type SweepOutcome, type SweepResult } from "./sweep";
export { type JobContext } from "./job";
export { followInTerminal } from "./terminal";
export { type TrainJobOptions, type TrainJobResult } from "./trainJob";
