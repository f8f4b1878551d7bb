import type { Rng } from "../../base/rng";
import { oneOf, type Fields } from "../../schema";
import type { Part } from "../part";
import { carryChoice } from "./carries";

/** Declaration of an order of updates by a file of this folder. */
export interface Order<F extends Fields = Fields> extends Part<F> {
  /** Whether turns are updated one after the other. */
  readonly turnByTurn: boolean;
  /** The sets of turns, one after the other, from the turns 0, 1, ...; `rng` is there for orders that draw. */
  sets(turns: number[], rng: Rng | undefined): number[][];
}

export const order = <F extends Fields>(parts: Order<F>): Order<F> => parts;

export const oldLogProb = oneOf(["rollout", "recomputed"], {
  help: "Old log-probs as the rollout stored them, or measured again right before each turn set's first step.",
});

const steps = oneOf(["each", "shared"], {
  help:
    "Whether epochs x minibatches are the steps of each turn set, or of the whole batch: shared out among the sets that are " +
    "there, as many in all as if all turns were updated at once.",
});

export const turnByTurnFields = { oldLogProb, carry: carryChoice, steps };
