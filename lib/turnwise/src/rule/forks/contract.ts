import type { ForkPlan } from "../../rollout/forks";
import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

/** What a file of this folder says about the forks of a rollout. */
export interface Forks<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** What the trainer asks of `collect`. */
  plan(o: ValueOf<F>): ForkPlan;
}

export const forks = <F extends Fields>(parts: Forks<F>): Forks<F> => parts;
