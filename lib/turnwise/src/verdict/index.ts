/** Verdicts on claims, decided from data: effects with their intervals, Holm's correction, two halves of the seeds. */
export { shareInterval } from "../base/share";
export { Verdict } from "../base/verdict";
export type { Setting } from "./condition";
export type { Evidence } from "./decide";
export { above, exactly, gain, gainInHalves, share, shareGain, type Effect, type Halves } from "./effect";
export { verdict, verdicts, type Condition, type Question } from "./verdict";
