import type { Metrics } from "../../base/glossary";
import { DUAL, HIGH, LOW } from "../gate/contract";
import { boundsOf, unbounded } from "../gate/gate";
import type { Recipe } from "../recipe";
import { clippingTriggeredOf } from "../regularizer/triggered";
import { limitedExpm1 } from "../ratio/units";
import type { SurrogateInput } from "./surrogateInput";

/** Counts over the tokens of a step. */
export class Tally {
  private cells = 0;
  /** By the bound that the ratio met; an array, since a branch on the sign of an advantage is a coin. */
  readonly met = new Int32Array(4);
  private atLimit = 0;
  private outside = 0;
  private largest = -Infinity;
  private smallest = Infinity;
  /** Beyond these a ratio is outside. */
  readonly upper: number;
  readonly lower: number;

  constructor({ gate, regularizer }: Recipe) {
    // Only one regularizer asks for it, and of a bound that is infinite the comparison costs nothing.
    const { clippingTriggered } = regularizer;
    const counted = clippingTriggeredOf(clippingTriggered).penalty(clippingTriggered, 1) !== null;
    ({ low: this.lower, high: this.upper } = counted ? boundsOf(gate) : unbounded);
  }

  add(ratio: number, limited: boolean, clipped: number): void {
    this.cells += 1;
    // As Math.max and Math.min: a ratio that is not a number shows.
    if (ratio > this.largest || Number.isNaN(ratio)) this.largest = ratio;
    if (ratio < this.smallest || Number.isNaN(ratio)) this.smallest = ratio;
    if (ratio > this.upper || ratio < this.lower) this.outside += 1;
    if (limited) this.atLimit += 1;
    this.met[clipped]! += 1;
  }

  /** Adds counts of a loop, except for `met`, which it writes to. */
  addAll(o: { tokens: number; largest: number; smallest: number; atLimit: number; outside: number }): void {
    this.cells += o.tokens;
    this.largest = Math.max(this.largest, o.largest);
    this.smallest = Math.min(this.smallest, o.smallest);
    this.atLimit += o.atLimit;
    this.outside += o.outside;
  }

  /** Fraction of tokens whose ratio left the clip range, whatever the sign of the advantage. */
  fractionOutside(): number {
    return this.cells === 0 ? 0 : this.outside / this.cells;
  }

  metrics(): Metrics {
    if (this.cells === 0) return {};
    return {
      "policy/clipFracLow": this.met[LOW]! / this.cells,
      "policy/clipFracHigh": this.met[HIGH]! / this.cells,
      "policy/clipFracDual": this.met[DUAL]! / this.cells,
      "policy/fracRatioLimited": this.atLimit / this.cells,
      "policy/ratioMax": this.largest,
      "policy/ratioMin": this.smallest,
    };
  }
}

/** Divergence of the policy from the one that sampled, and its entropy, over the tokens of a step. */
export function divergence(input: SurrogateInput, active_ntl: ArrayLike<number>): Metrics {
  const { logProb_ntl, oldLogProb_ntl, entropy_ntl } = input;
  let tokens = 0;
  let old = 0;
  let entropy = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    tokens += 1;
    // Samples come from the old policy: (r - 1) - log r estimates KL(old || new) without bias, up to the limit.
    const d = logProb_ntl[i]! - oldLogProb_ntl[i]!;
    if (d !== 0) old += limitedExpm1(d) - d;
    if (entropy_ntl !== undefined) entropy += entropy_ntl[i]!;
  }
  return meanDivergence(tokens, old, entropy_ntl === undefined ? undefined : entropy);
}

/** The means of both sums over the tokens of a step. */
export function meanDivergence(tokens: number, kl: number, entropy: number | undefined): Metrics {
  if (tokens === 0) return {};
  return {
    "policy/approxKl": kl / tokens,
    ...(entropy === undefined ? {} : { "policy/entropy": entropy / tokens }),
  };
}
