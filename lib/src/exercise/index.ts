export { check, exerciseNames, type ExerciseAnswers, type ExerciseName } from "./check";
export { NotYet, Passed } from "./verdict";
export type { TrapRecord } from "./echoTrap";
export type { Writer } from "./maskedLoss";
export type { Booking, BookingTask, Desk } from "./verifier";
