export { type Checkpoint, type CheckpointSettings, type RetrievedTokens } from "./checkpoint";
export { loadCheckpoint, saveCheckpoint } from "./files/checkpointFile";
export { NonFiniteError, type NonFiniteDump } from "./errors";
export { type Optimiser, type OptimiserState } from "./optimiser";
export { type TrainRecord } from "./records";
export { train, TrainRun, type StopReason, type TrainOptions } from "./train";
export { readRecords, trainInFolder } from "./files/trainInFolder";
