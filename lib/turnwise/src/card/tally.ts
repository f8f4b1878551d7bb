import { hypot } from "../base/elementary/hypot";
import { square } from "../base/elementary/square";
import { mean } from "../base/statistics";
import { dot, largest } from "../base/vectors";

/** Exact facts about the place at which rules are compared. */
export interface Truth {
  readonly J: number;
  readonly gradient: Float64Array;
  /** Increase of J by a step of equal length along the exact gradient. */
  readonly gain: number;
  /** Average of the control of `Tally.add`. */
  readonly control: Float64Array;
}

/** A figure and its standard error; null where groups were enumerated, as there is none. */
export interface Figure {
  readonly value: number;
  readonly error: number | null;
}

/** Figures measured for a rule at a setting; `cardFigures` has their units. */
export const figureNames = [
  "scale",
  "bias",
  "expectedCosine",
  "variance",
  "signalToNoise",
  "cosine",
  "wrongSign",
  "wrongSignBatch",
  "silent",
  "gain",
  "falls",
  "ownChange",
  "ownFalls",
] as const;

export type FigureName = (typeof figureNames)[number];
export type Figures = Readonly<Record<FigureName, number>>;

/** Falls of J below this are round-off. */
const ROUND_OFF = 1e-12;
/** Parts into which sampled batches are divided for standard errors. */
const PARTS = 20;
/** Standard errors by which a sampled mean must lie on the wrong side. */
const CONFIDENCE = 2;

/** Sums over batches, each with its weight; a part of the batches can be left out. */
class Sums {
  weight = 0;
  count = 0;
  readonly direction: Float64Array;
  readonly squares: Float64Array;
  readonly control: Float64Array;
  readonly controlSquares: Float64Array;
  readonly cross: Float64Array;
  cosine = 0;
  loud = 0;
  wrong = 0;
  gain = 0;
  falls = 0;
  ownChange = 0;
  ownFalls = 0;

  constructor(size: number) {
    this.direction = new Float64Array(size);
    this.squares = new Float64Array(size);
    this.control = new Float64Array(size);
    this.controlSquares = new Float64Array(size);
    this.cross = new Float64Array(size);
  }

  add(other: Sums, sign = 1): this {
    for (const name of scalars) this[name] += sign * other[name];
    for (const name of vectors) {
      for (let i = 0; i < this[name].length; i++) this[name][i]! += sign * other[name][i]!;
    }
    return this;
  }
}

const vectors = ["direction", "squares", "control", "controlSquares", "cross"] as const;
const scalars = [
  "weight",
  "count",
  "cosine",
  "loud",
  "wrong",
  "gain",
  "falls",
  "ownChange",
  "ownFalls",
] as const;

/** Collects what batches make of a rule at one policy. */
export class Tally {
  readonly #parts: Sums[];
  #added = 0;

  constructor(
    private readonly truth: Truth,
    /** Whether the batches are all there are, with their probabilities as weights. */
    private readonly exact: boolean,
  ) {
    const { length } = truth.gradient;
    this.#parts = Array.from({ length: exact ? 1 : PARTS }, () => new Sums(length));
  }

  /**
   * Takes a batch: its weight, the rule's update, J after the equal and after the own step, and where batches are sampled the
   * control: what a rule of known expectation makes of this batch.
   */
  add(
    weight: number,
    { direction, equalJ, ownJ }: { direction: Float64Array; equalJ: number; ownJ: number },
    control?: Float64Array,
  ): void {
    const { J, gradient } = this.truth;
    const sums = this.#parts[this.#added++ % this.#parts.length]!;
    let dot = 0;
    let norm = 0;
    let wrong = 0;
    let judged = 0;
    const floor = smallest(gradient);
    for (let i = 0; i < gradient.length; i++) {
      const d = direction[i]!;
      sums.direction[i]! += weight * d;
      sums.squares[i]! += weight * d * d;
      if (control) {
        sums.control[i]! += weight * control[i]!;
        sums.controlSquares[i]! += weight * square(control[i]!);
        sums.cross[i]! += weight * control[i]! * d;
      }
      dot += d * gradient[i]!;
      norm += d * d;
      if (Math.abs(gradient[i]!) <= floor) continue;
      judged++;
      if (d * gradient[i]! < 0) wrong++;
    }
    sums.weight += weight;
    sums.count++;
    sums.wrong += (weight * wrong) / Math.max(1, judged);
    if (norm > 0) {
      sums.loud += weight;
      sums.cosine += (weight * dot) / (Math.sqrt(norm) * hypot(...gradient));
    }
    sums.gain += weight * (equalJ - J);
    sums.ownChange += weight * (ownJ - J);
    if (equalJ < J - ROUND_OFF) sums.falls += weight;
    if (ownJ < J - ROUND_OFF) sums.ownFalls += weight;
  }

  /** A batch of which the rule's filter leaves nothing: nothing moves. */
  addNothing(weight: number, control?: Float64Array): void {
    const { J, gradient } = this.truth;
    this.add(weight, { direction: new Float64Array(gradient.length), equalJ: J, ownJ: J }, control);
  }

  /** The figures with their standard errors: the jackknife over twenty parts of the sampled batches. */
  figures(): Record<FigureName, Figure> {
    const sums = this.#parts.reduce((sum, part) => sum.add(part), new Sums(this.truth.gradient.length));
    const whole = this.#of(sums);
    const used = this.#parts.filter((part) => part.count > 0);
    const without = this.exact ? [] : used.map((part) => this.#of(sums.add(part, -1), part));
    const figure = (name: FigureName): Figure => ({
      value: name === "bias" ? Math.max(0, whole.bias) : whole[name],
      error: jackknife(without.map((figures) => figures[name])),
    });
    return Object.fromEntries(figureNames.map((name) => [name, figure(name)])) as Record<FigureName, Figure>;
  }

  /**
   * The expected update, the spread of one batch's about it, and what is left of that spread in the mean.
   *
   *   mean = mean g - beta (mean c - E c),   beta = cov(g, c) / var(c), over all parameters
   *
   * The control c is made of the same batches, so it has most of their luck.
   */
  #moments(sums: Sums): { mean: Float64Array; spread_i: Float64Array; rest_i: Float64Array } {
    const { weight } = sums;
    const mean = sums.direction.map((x) => x / weight);
    const spread_i = sums.squares.map((x, i) => Math.max(0, x / weight - square(mean[i]!)));
    if (this.exact) return { mean, spread_i, rest_i: spread_i };
    const control = sums.control.map((x) => x / weight);
    const controlSpread_i = sums.controlSquares.map((x, i) => Math.max(0, x / weight - square(control[i]!)));
    const cross_i = sums.cross.map((x, i) => x / weight - mean[i]! * control[i]!);
    const beta = total(controlSpread_i) === 0 ? 0 : total(cross_i) / total(controlSpread_i);
    return {
      mean: mean.map((x, i) => x - beta * (control[i]! - this.truth.control[i]!)),
      spread_i,
      rest_i: spread_i.map((x, i) =>
        Math.max(0, x - 2 * beta * cross_i[i]! + square(beta) * controlSpread_i[i]!),
      ),
    };
  }

  /** The figures of some sums; a part that was taken out of them is put back. */
  #of(sums: Sums, takenOut?: Sums): Figures {
    const { gradient, gain } = this.truth;
    const { weight, count } = sums;
    const { mean, spread_i, rest_i } = this.#moments(sums);
    const power = dot(gradient, gradient);
    const along = dot(mean, gradient);
    const corrected = this.exact || count < 2 ? 1 : count / (count - 1);
    const variance = corrected * total(spread_i);
    const noise = this.exact ? 0 : (corrected * total(rest_i)) / count;
    const signal = Math.max(0, dot(mean, mean) - noise);
    const scale = along / power;
    // Not |mean|^2 - along^2 / power: where both are one number, its last digit would be left, and a root makes 1e-8 of it.
    const beside = mean.reduce((sum, x, i) => sum + square(x - scale * gradient[i]!), 0);
    const off = beside - noise * (1 - 1 / Math.max(1, gradient.length));
    const floor = smallest(gradient);
    let wrong = 0;
    let judged = 0;
    for (let i = 0; i < gradient.length; i++) {
      if (Math.abs(gradient[i]!) <= floor) continue;
      judged++;
      const error = this.exact ? ROUND_OFF : CONFIDENCE * Math.sqrt((corrected * rest_i[i]!) / count);
      if (mean[i]! * Math.sign(gradient[i]!) < -error) wrong++;
    }
    const result: Figures = {
      scale,
      // Signed, so that noise about 0 has a spread that the jackknife can see.
      bias: scale > 0 ? (Math.sign(off) * Math.sqrt(Math.abs(off) / power)) / scale : Infinity,
      expectedCosine: signal === 0 ? NaN : Math.max(-1, Math.min(1, along / Math.sqrt(signal * power))),
      variance: variance / Math.max(1, gradient.length),
      signalToNoise: variance === 0 ? Infinity : signal / variance,
      cosine: sums.loud === 0 ? NaN : sums.cosine / sums.loud,
      wrongSign: wrong / Math.max(1, judged),
      wrongSignBatch: sums.wrong / weight,
      silent: 1 - sums.loud / weight,
      gain: sums.gain / weight / gain,
      falls: sums.falls / weight,
      ownChange: sums.ownChange / weight,
      ownFalls: sums.ownFalls / weight,
    };
    if (takenOut) sums.add(takenOut);
    return result;
  }
}

const total = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

/** Delete-one jackknife: the standard error of a figure from what it is without each part. */
function jackknife(values: readonly number[]): number | null {
  const n = values.length;
  if (n < 2 || !values.every(Number.isFinite)) return null;
  const center = mean(values);
  return Math.sqrt(((n - 1) / n) * values.reduce((sum, x) => sum + square(x - center), 0));
}

/** Parameters whose exact gradient is not above this have no sign to compare with. */
const smallest = (gradient: Float64Array): number => 1e-9 * largest(gradient);

/** The mean of a figure over those policies that have one; errors of independent samples add up in squares. */
export function meanFigure(given: readonly Figure[]): Figure {
  const figures = given.filter(({ value }) => !Number.isNaN(value));
  const n = figures.length;
  const value = figures.reduce((sum, figure) => sum + figure.value, 0) / n;
  if (figures.every(({ error }) => error === null)) return { value, error: null };
  const squares = figures.reduce((sum, { error }) => sum + square(error ?? 0), 0);
  return { value, error: Math.sqrt(squares) / n };
}
