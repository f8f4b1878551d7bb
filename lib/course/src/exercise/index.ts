export { checkExercise, exerciseNames } from "./checkExercise";
export { NotYet } from "../shared/exercise/verdict";
export type { TrapRecord } from "../04-echo-trap/exercise/echoTrap";
export type { Writer } from "../06-agentic-pomdp/exercise/maskedLoss";
export type { Booking, BookingTask, Desk } from "../07-reward-signal/exercise/verifier";
export { pieceNames, yours } from "./yours";
export type { Numbers, PieceName, Pieces } from "./pieces";
