import { exp } from "../base/elementary/exp";
import { log } from "../base/elementary/log";
import type { Rng } from "../base/rng";

/**
 * A generator that draws tokens from the nucleus alone: the fewest likeliest ones whose probabilities reach `topP` together.
 *
 * It remembers the probability of each nucleus, so that a token's log-prob can be told as the engine drew it:
 * log p - log(sum of p over the nucleus), which is what vLLM calls processed.
 *
 * @see Holtzman et al., arXiv 1904.09751
 */
export class Nucleus implements Rng {
  #masses: number[] = [];

  constructor(
    private readonly inner: Rng,
    private readonly topP: number,
  ) {}

  categorical(logProb: ArrayLike<number>): number {
    const likeliest = Array.from(logProb, (_, v) => v).sort((a, b) => logProb[b]! - logProb[a]! || a - b);
    const within = new Float64Array(logProb.length).fill(-Infinity);
    let mass = 0;
    for (const v of likeliest) {
      if (mass >= this.topP) break;
      within[v] = logProb[v]!;
      mass += exp(logProb[v]!);
    }
    this.#masses.push(Math.min(1, mass));
    return this.inner.categorical(within);
  }

  /**
   * The log-probs of the tokens drawn since the last call, under the distributions that they were drawn from.
   *
   * @throws {TypeError} if the policy did not draw each token by one call of `categorical`
   */
  processed(logProb: readonly number[]): number[] {
    const masses = this.#masses;
    this.#masses = [];
    if (masses.length === logProb.length) return logProb.map((x, l) => x - log(masses[l]!));
    throw new TypeError(
      `Cannot collect with topP: the policy must draw each token by one rng.categorical(logProb), but it drew ${masses.length} ` +
        `for ${logProb.length} tokens.`,
    );
  }

  next(): number {
    return this.inner.next();
  }

  below(n: number): number {
    return this.inner.below(n);
  }

  normal(): number {
    return this.inner.normal();
  }

  shuffle<X>(items: readonly X[]): X[] {
    return this.inner.shuffle(items);
  }

  split(name: string, ...keys: number[]): Rng {
    return new Nucleus(this.inner.split(name, ...keys), this.topP);
  }

  state(): string {
    return this.inner.state();
  }
}
