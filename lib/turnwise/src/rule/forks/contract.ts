import type { ForkPlan } from "../../rollout/forks";
import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

/** Declaration of the forks of a rollout by a file of this folder. */
export interface Forks<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Request of the trainer to `collect`. */
  plan(o: ValueOf<F>): ForkPlan;
}

export const forks = <F extends Fields>(parts: Forks<F>): Forks<F> => parts;
