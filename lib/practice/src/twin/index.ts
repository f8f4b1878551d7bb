export { twin, twinOf, expectTwinOptions, type TwinContext, type TwinOptions } from "./twin";
export { TwinReport, type TriedChange, type TwinJson, type TwinLine } from "./report";
export { measuredMismatch, type MeasuredMismatch } from "./mismatch";
export type { RunMoves } from "./likeness";
export type { WorldOutcome, ChangeOutcome, Outcome, Says } from "./judge";
export type { Mapping } from "./mapping";
export type { TwinWorldName } from "./worlds";
