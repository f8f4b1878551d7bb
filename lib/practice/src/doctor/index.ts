export { doctor, type DoctorOptions } from "./doctor";
export { DoctorReport } from "./report";
export { compareRuns, Comparison, type Parting } from "./compare";
export type { Cause, CauseName } from "./causes";
export type { Census } from "./census";
export type { SignalEvent } from "../report/events";
export type { FileGuess } from "./read";
export type { DoctorJson } from "./page/json";
