export { check, exerciseNames } from "./check";
export { NotYet } from "./verdict";
export type { TrapRecord } from "./echoTrap";
export type { Writer } from "./maskedLoss";
export type { Booking, BookingTask, Desk } from "./verifier";
