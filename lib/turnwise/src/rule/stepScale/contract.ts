import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

/** Declaration of a factor on the optimizer's learning rate by a file of this folder. */
export interface StepScale<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Whether it reads the weights of a step's trajectories at all. */
  readonly active: boolean;
  /** The factor, given the ratio of the present policy to the one that sampled, for each trajectory of the step. */
  factor(o: ValueOf<F>, ratio_n: readonly number[]): number;
}

export const stepScale = <F extends Fields>(parts: StepScale<F>): StepScale<F> => parts;
