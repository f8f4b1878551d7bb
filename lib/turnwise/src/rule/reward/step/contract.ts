import type { Fields, ValueOf } from "../../../schema";
import type { Part } from "../../part";

/** Declaration by a file of this folder of the reward of a single step, which is a turn; `train/stepReward` computes it. */
export interface StepReward<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table; nothing where the rule does without. */
  label(o: ValueOf<F>): string[];
  /** Whether it is added to the turn's reward; otherwise only the rule's advantage reads it, as `Batch.step_nt`. */
  readonly paid: boolean;
}

/** Types the label by the fields. */
export const stepReward = <F extends Fields>(parts: StepReward<F>): StepReward<F> => parts;
