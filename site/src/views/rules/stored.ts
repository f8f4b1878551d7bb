import type { Curve } from "./curve";
import type { Schedule } from "./schedule";

/** A rule as its page compares it with others. */
export interface StoredRule extends Curve {
  readonly title: string;
  readonly schedule: Schedule;
}

/** Titles, curves and schedules of all rules. */
export interface Stored {
  readonly updates: readonly number[];
  readonly rules: readonly StoredRule[];
}

/** The rule that a rule is first compared with. */
export const firstBeside = (name: string): string => (name === "grpo" ? "ppo" : "grpo");
