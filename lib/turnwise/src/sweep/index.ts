export { interquartileMean } from "./interquartileMean";
export { type SeedRuns } from "./seedRuns";
export { trainSeeds } from "./trainSeeds";
export { merge } from "./merge";
export { type SweepOptions } from "./options";
export { readRecords, saveRecords } from "./recordFile";
export { readSweep } from "./resultFile";
export { sweep, SweepError, SweepRun, type SweepResult } from "./sweep";
export { type JobContext } from "./job";
