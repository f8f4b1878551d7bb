import type { Rng } from "../base/rng";
import type { Observation } from "../env/env";

interface Averages {
  readonly n: Float64Array;
  readonly sum: Float64Array;
}

/**
 * Average return of the episodes in which an action was taken, anywhere, for each first observation: the question.
 *
 * It is how a rollout plays where nobody has been: after one success, the turns of that episode are likelier everywhere in the
 * same task.
 *
 * @see Finnsson and Bjoernsson, "Simulation-based approach to general game playing" (2008), move-average sampling
 */
export class ActionAverages {
  readonly #of = new Map<string, Averages>();
  /** The last question asked about: an episode asks about its own for every action. */
  #last: { readonly first: Observation; readonly averages: Averages } | undefined;

  /**
   * @param floor Added to each average where actions are drawn in proportion to them.
   */
  constructor(
    private readonly size: number,
    private readonly floor: number,
  ) {}

  /** The mean return of the episodes in which the action was taken; 0 before the first. */
  average(first: Observation, arm: number): number {
    const { n, sum } = this.#averages(first);
    return n[arm] === 0 ? 0 : sum[arm]! / n[arm]!;
  }

  /** An action, in proportion to its average; a negative one counts 0. */
  draw(first: Observation, rng: Rng): number {
    let total = 0;
    for (let arm = 0; arm < this.size; arm++) total += this.#weight(first, arm);
    let left = rng.next() * total;
    for (let arm = 0; arm < this.size; arm++) {
      left -= this.#weight(first, arm);
      if (left < 0) return arm;
    }
    return this.size - 1;
  }

  add(first: Observation, arms: readonly number[], earned: number): void {
    const { n, sum } = this.#averages(first);
    for (const arm of arms) {
      n[arm]!++;
      sum[arm]! += earned;
    }
  }

  #weight(first: Observation, arm: number): number {
    return Math.max(0, this.average(first, arm)) + this.floor;
  }

  #averages(first: Observation): Averages {
    if (this.#last?.first === first) return this.#last.averages;
    const averages = this.#known(first);
    this.#last = { first, averages };
    return averages;
  }

  #known({ tokens }: Observation): Averages {
    const key = tokens.join();
    let found = this.#of.get(key);
    if (!found) {
      found = { n: new Float64Array(this.size), sum: new Float64Array(this.size) };
      this.#of.set(key, found);
    }
    return found;
  }
}
