import type { Metrics } from "../base/glossary";
import type { Recipe } from "../rule";
import {
  firstCoefficient,
  nextCoefficient,
  paidCoefficient,
  type EntropyCoefficient,
} from "../rule/regularizer/entropyTarget";
import type { Prepared } from "./prepared";

/** The weight of an entropy bonus with a target, from update to update; nothing in a rule without one. */
export class EntropyBonus {
  /** State that a checkpoint keeps. */
  state: EntropyCoefficient | undefined;

  constructor(private readonly recipe: Recipe) {
    const { entropyTarget, entropyCoef } = recipe.regularizer;
    this.state = entropyTarget === null ? undefined : firstCoefficient(entropyCoef);
  }

  /** Price of a nat in this update. */
  paid(): number | undefined {
    return this.state && paidCoefficient(this.state);
  }

  metrics(): Metrics {
    const paid = this.paid();
    return paid === undefined ? {} : { "policy/entropyCoef": paid };
  }

  /** Goes on by the entropy of the policy that sampled, which the log-probs of its own tokens estimate without bias. */
  after({ batch, trained_ntl }: Prepared): void {
    const { entropyTarget } = this.recipe.regularizer;
    if (entropyTarget === null || this.state === undefined) return;
    let tokens = 0;
    let sum = 0;
    for (let i = 0; i < trained_ntl.length; i++) {
      if (trained_ntl[i] !== 1) continue;
      tokens += 1;
      sum -= batch.oldLogProb_ntl[i]!;
    }
    if (tokens > 0) this.state = nextCoefficient(entropyTarget, this.state, sum / tokens);
  }
}
