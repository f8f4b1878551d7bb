/** Exports that all lessons share; each lesson has its own tier, such as `turnwise-course/echo-trap`. */
export { claims } from "./claims";
export * from "./deprecatedNames";
export {
  checkExercise,
  exerciseNames,
  NotYet,
  pieceNames,
  yours,
  type Booking,
  type BookingTask,
  type Desk,
  type Numbers,
  type PieceName,
  type Pieces,
  type TrapRecord,
  type Writer,
} from "./exercise";
export * from "./shared/exactTraining";
export { measured } from "./shared/measured";
export { storedTable, type StoredRecord } from "./shared/storedTable";
export type { EnvFacts } from "turnwise/internal/env/registry";
export type { CalculatorTask } from "./shared/types";
export * from "./worlds";
