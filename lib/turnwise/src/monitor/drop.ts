import { square } from "../base/elementary/square";
import { createRng } from "../base/rng";
import { WINDOW } from "./fall";
import { noiseOf } from "./noise";
import { risingFit } from "./risingFit";

/** A drop that chance makes more often is not called a fall. */
export const FALL_LEVEL = 0.05;

/** The same for a log that is looked at after every step: a hundred looks find by luck what one look seldom does. */
export const FOLLOWED_FALL_LEVEL = 0.005;

/** The share of what a run had gained that a fall loses; one whose floor is known falls by a quarter of its best. */
const SHARE_OF_GAIN = 0.5;
const SHARE_OF_BEST = 0.25;
/** A gain is clear from this many standard deviations of single values on. */
const CLEAR = 4;

const REORDERINGS = 999;
/** Neighbors with no more correlation than this have noise of their own. */
const OWN = 0.2;
/** Nor have those with no more than this around the curve of the run: where success is at its limit for long, distances alone mislead. */
const APART = 0.05;

/** A mean of 10 values that is clearly below the best one, which came before it. Values are counted from 0. */
export interface Drop {
  /** The value with which the mean of the latest 10 was low. */
  readonly at: number;
  /** The first of those 10 that is low itself. */
  readonly onset: number;
  /** The mean of the latest 10 there. */
  readonly mean: number;
  /** The mean of the first 10 values. */
  readonly start: number;
  /** The highest mean. */
  readonly best: number;
  /** The last value of the 10 that made the highest mean. */
  readonly bestAt: number;
  /** The lowest mean from the drop on, until the mean is back at its best. */
  readonly lowest: number;
  /** The value with which the mean had made up for three quarters of that; undefined if it never did. */
  readonly recovered: number | undefined;
  /** The mean of the last 10 values. */
  readonly last: number;
  /** Probability that chance makes a drop as deep as the deepest of this series. */
  readonly chance: number;
  /** Whether chance seldom makes one as deep as this, by the level that was asked for. */
  readonly isFall: boolean;
  /** Whether noise lasts from step to step, so that `chance` is by plateaus of such noise rather than by random orders. */
  readonly lasting: boolean;
  /** Whether it is a fall if noise lasts as long as it seems to, and none if it lasts as long as it may. */
  readonly isUnclear: boolean;
}

export interface DropOptions {
  /** Significance level: largest chance of a drop that is still called a fall. Default .05. */
  readonly level?: number;
  /** Whether to stop as soon as chance has made enough such drops, so that `chance` is rough where there is no fall. */
  readonly quick?: boolean;
}

/**
 * The first fall of a series; else its first drop, which chance may have made; undefined if it has neither.
 *
 * The series gives the scale, so it may be of any size and sign. With m the means of 10 values, s the first of them and b the best,
 * the mean has dropped where, after the best one,
 * ```
 * b - m > (b - s) / 2   if the gain b - s is clear: above 4 standard deviations of single values, and no less than b / 4
 * b - m > b / 4         if no value is below 0, so that 0 is the floor; either will do
 * b - m > 1 deviation   if there is neither a clear gain nor a floor
 * ```
 * The deviations are from the best curve that never falls, up to the best mean. A drop is a fall if it is deeper than those that chance
 * makes on a plateau: the values from where the mean has first come within that distance of the best one are put in random order.
 * ```
 * p = (1 + #{k : depth(shuffled_k) >= depth(values)}) / (1 + 999),  depth = b - the lowest m after it
 * ```
 * On a plateau all orders of independent values are equally likely. What the run learned before is left out, so that a long rise hides
 * no fall. Where noise lasts from step to step, as `noiseOf` finds by a correlation of neighbors above .2, they are not: 999 plateaus of
 * such noise stand in for the orders. It is a fall if it is deep even for noise that lasts as long as it may; if it is only for noise that
 * lasts as long as it seems to, it is unclear.
 * A run that has come to a better mean since has no drop here: `FallWatch` finds the falls that a run recovers from.
 * Values that are missing or not finite do not count.
 *
 * @see Phipson and Smyth, "Permutation P-values Should Never Be Zero", 2010, for the 1 + (1603.05766)
 */
export function dropOf(
  series: readonly (number | undefined)[],
  { level = FALL_LEVEL, quick = false }: DropOptions = {},
): Drop | undefined {
  const { at, values } = finiteOf(series);
  const means = meansOf(values);
  const floored = values.every((x) => x >= 0);
  const first = firstDrop(values, means, floored, 0);
  if (first === undefined) return undefined;
  const enough = Math.ceil(level * (1 + REORDERINGS));
  const { luck, worst, asDeep, lasting } = luckyDepths(values, means, first.need, quick ? enough : Infinity);
  const done = luck.length === REORDERINGS;
  const atWorst = done ? firstDrop(values, means, floored, seldomOf(worst, enough)) : undefined;
  const found = atWorst ?? (done ? firstDrop(values, means, floored, seldomOf(luck, enough)) : undefined);
  const { end, bestEnd, need } = found ?? first;
  const best = means[bestEnd - WINDOW + 1]!;
  const from = Math.max(end - WINDOW + 1, bestEnd + 1);
  const low = values.findIndex((x, i) => i >= from && x < best - need);
  return {
    at: at[end]!,
    onset: at[low < 0 ? end : low]!,
    mean: means[end - WINDOW + 1]!,
    start: means[0]!,
    best,
    bestAt: at[bestEnd]!,
    ...afterwards(means, end - WINDOW + 1, best, at),
    chance: (1 + asDeep) / (1 + luck.length),
    lasting,
    isFall: atWorst !== undefined,
    isUnclear: atWorst === undefined && found !== undefined,
  };
}

/** The deepest that chance makes more often than the level allows. */
const seldomOf = (depths: readonly number[], enough: number): number =>
  [...depths].sort((a, b) => b - a)[enough - 2] ?? Infinity;

/** The last value of the first mean that has dropped, that of the best mean before it, and the drop that was needed. */
function firstDrop(
  values: readonly number[],
  means: readonly number[],
  floored: boolean,
  least: number,
): { readonly end: number; readonly bestEnd: number; readonly need: number } | undefined {
  const { at: top } = topOf(means);
  if (top < 0) return undefined;
  const best = means[top]!;
  const gain = best - means[0]!;
  const noise = deviationOf(values.slice(0, top + WINDOW));
  const ofBest = SHARE_OF_BEST * best;
  const needs = [
    ...(gain > CLEAR * noise && (!floored || gain >= ofBest) ? [SHARE_OF_GAIN * gain] : []),
    ...(floored ? [ofBest] : []),
  ];
  const need = needs.length > 0 ? Math.min(...needs) : noise;
  // Means of equal values differ in their last digits.
  const bar = need + 1e-12 * Math.abs(best);
  const isLow = (i: number, by: number): boolean => i > top && best - means[i]! > by;
  let end = means.findIndex((_, i) => isLow(i, Math.max(bar, least)));
  if (end < 0) return undefined;
  // It dates from where the mean got low, not from where that was seldom enough.
  while (isLow(end - 1, bar)) end -= 1;
  return { end: end + WINDOW - 1, bestEnd: top + WINDOW - 1, need };
}

interface Luck {
  /** Depth of a random drop, in each of 999 tries. */
  readonly luck: readonly number[];
  /** The same where noise lasts as long as it may well do. */
  readonly worst: readonly number[];
  /** Number of the former that are as deep as the drop of the series. */
  readonly asDeep: number;
  /** Whether noise lasts from one step to the next, so that orders are not equally likely. */
  readonly lasting: boolean;
}

/** Depth of the plateau's drop in each of 999 random orders or, if noise lasts, in each of 999 plateaus of such noise. */
function luckyDepths(
  values: readonly number[],
  means: readonly number[],
  need: number,
  enough: number,
): Luck {
  const top = topOf(means);
  const plateau = values.slice(means.findIndex((mean) => mean >= means[top.at]! - need));
  const noise = noiseOf(values);
  const lasting = noise.correlation > OWN && neighborsOf(values, top.at + WINDOW) > APART;
  const depth = top.depth * (1 - 1e-9);
  const rng = createRng(0).split("fall-chance");
  const luck: number[] = [];
  const worst: number[] = [];
  let asDeep = 0;
  while (luck.length < REORDERINGS && asDeep < enough) {
    const drawn = lasting ? plateau.map(() => rng.normal()) : rng.shuffle(plateau);
    const depthOf = (r: number): number =>
      topOf(quickMeansOf(lasting ? lastingNoise(drawn, r, noise.step) : drawn)).depth;
    const lucky = depthOf(noise.correlation);
    luck.push(lucky);
    if (lasting) worst.push(depthOf(noise.highest));
    if (lucky >= depth) asDeep += 1;
  }
  return { luck, worst: lasting ? worst : luck, asDeep, lasting };
}

/** Noise of which neighbors have that correlation, and whose steps have that mean square, from independent normal values. */
function lastingNoise(normal: readonly number[], r: number, step: number): number[] {
  const size = Math.sqrt(step / 2 / (1 - r));
  const fresh = size * Math.sqrt(1 - r * r);
  let before = 0;
  return normal.map((z, i) => (before = i === 0 ? size * z : r * before + fresh * z));
}

/**
 * Describes the means from `from` on: how low they are until they are back at the best one, and where they have made up
 * for three quarters of the drop.
 */
function afterwards(
  means: readonly number[],
  from: number,
  best: number,
  at: readonly number[],
): Pick<Drop, "lowest" | "last" | "recovered"> {
  const back = means.findIndex((mean, i) => i >= from && mean >= best);
  const low = means.slice(from, back < 0 ? undefined : back);
  const lowest = least(low);
  const lowestAt = from + low.indexOf(lowest);
  const recovered = means.findIndex((mean, i) => i > lowestAt && mean >= best - (best - lowest) / 4);
  return {
    lowest,
    last: means.at(-1)!,
    recovered: recovered < 0 ? undefined : at[recovered + WINDOW - 1]!,
  };
}

/** A spread of very many values would not fit on the stack. */
const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);

/** A drop that was found in the beginning of a series, with how the whole series went on. */
export function goneOn(drop: Drop, series: readonly (number | undefined)[]): Drop {
  const { at, values } = finiteOf(series);
  const means = meansOf(values);
  return { ...drop, ...afterwards(means, at.indexOf(drop.at) - WINDOW + 1, drop.best, at) };
}

/** The finite values of a series, and their places. */
function finiteOf(series: readonly (number | undefined)[]): {
  readonly at: readonly number[];
  readonly values: readonly number[];
} {
  const at = series.flatMap((x, i) => (x !== undefined && Number.isFinite(x) ? [i] : []));
  return { at, values: at.map((i) => series[i]!) };
}

/** The correlation of neighbors around the best curve that never falls before `top`, and never rises from there on. */
function neighborsOf(values: readonly number[], top: number): number {
  const left = [...residuals(values.slice(0, top)), ...residuals(values.slice(top).map((x) => -x))];
  let [products, squares] = [0, 0];
  for (let i = 0; i < left.length; i++) {
    squares += square(left[i]!);
    // After the top, signs are turned around.
    if (i > 0 && i !== top) products += left[i]! * left[i - 1]!;
  }
  return squares > 0 ? products / squares : 0;
}

const residuals = (values: readonly number[]): number[] => {
  const fit = risingFit(values);
  return values.map((x, i) => x - fit[i]!);
};

const deviationOf = (values: readonly number[]): number =>
  Math.sqrt(residuals(values).reduce((sum, x) => sum + x * x, 0) / values.length);

/** The highest mean, the last of equal ones, and how deep the means are below it afterwards. */
function topOf(means: readonly number[]): { readonly at: number; readonly depth: number } {
  let at = -1;
  let lowest = Infinity;
  for (let i = 0; i < means.length; i++) {
    if (at < 0 || means[i]! >= means[at]!) [at, lowest] = [i, Infinity];
    else lowest = Math.min(lowest, means[i]!);
  }
  return { at, depth: lowest === Infinity ? 0 : means[at]! - lowest };
}

/** The mean of every 10 values in a row. */
function meansOf(values: readonly number[]): number[] {
  return Array.from({ length: Math.max(0, values.length - WINDOW + 1) }, (_, from) => {
    let sum = 0;
    for (let i = from; i < from + WINDOW; i++) sum += values[i]!;
    return sum / WINDOW;
  });
}

/** The same up to rounding, by a sum that goes along, as it is needed a thousand times. */
function quickMeansOf(values: readonly number[]): number[] {
  const means: number[] = [];
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i]! - (i < WINDOW ? 0 : values[i - WINDOW]!);
    if (i >= WINDOW - 1) means.push(sum / WINDOW);
  }
  return means;
}
