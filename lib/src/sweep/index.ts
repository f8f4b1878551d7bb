export { interquartileMean, trainSeeds, type SeedRuns } from "./trainSeeds";
export { merge } from "./merge";
export { type SweepOptions } from "./options";
export { readSweep } from "./resultFile";
export { sweep, SweepError, SweepRun, type SweepResult } from "./sweep";
export { type JobContext } from "./job";
