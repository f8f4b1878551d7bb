import { square } from "../base/elementary/square";
import { createRng } from "../base/rng";
import { WINDOW } from "./fall";
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
  /** The lowest mean from the drop on. */
  readonly lowest: number;
  /** The mean of the last 10 values. */
  readonly last: number;
  /** How often chance makes a drop as deep as the deepest of this series. */
  readonly chance: number;
  /** Whether chance seldom makes one as deep as this, by the level that was asked for. */
  readonly isFall: boolean;
}

export interface DropOptions {
  /** How seldom chance makes a drop that is called a fall. Default .05. */
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
 * blocks of 1 + 3 ceil((1 + r) / (1 - r) - 3/2) values stay together,  r = correlation of neighbors up to the best mean, at least 0
 * ```
 * On a plateau all orders of independent values are equally likely. What the run learned before is left out, so that a long rise hides
 * no fall. Noise that lasts for many steps is a fall as often as not: no single run can tell.
 * Values that are missing or not finite do not count.
 *
 * @see Phipson and Smyth, "Permutation P-values Should Never Be Zero", 2010, for the 1 + (1603.05766)
 */
export function dropOf(
  series: readonly (number | undefined)[],
  { level = FALL_LEVEL, quick = false }: DropOptions = {},
): Drop | undefined {
  const at = series.flatMap((x, i) => (x !== undefined && Number.isFinite(x) ? [i] : []));
  const values = at.map((i) => series[i]!);
  const means = meansOf(values);
  const floored = values.every((x) => x >= 0);
  const first = firstDrop(values, means, floored, 0);
  if (first === undefined) return undefined;
  const enough = Math.ceil(level * (1 + REORDERINGS));
  const { luck, asDeep } = luckyDepths(values, means, first.need, quick ? enough : Infinity);
  // The deepest that chance makes more often than the level allows.
  const seldom = luck.sort((a, b) => b - a)[enough - 2] ?? Infinity;
  const fall = luck.length < REORDERINGS ? undefined : firstDrop(values, means, floored, seldom);
  const { end, bestEnd, need } = fall ?? first;
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
    lowest: Math.min(...means.slice(end - WINDOW + 1)),
    last: means.at(-1)!,
    chance: (1 + asDeep) / (1 + luck.length),
    isFall: fall !== undefined,
  };
}

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
  const noise = noiseOf(values.slice(0, top + WINDOW));
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

/** How deep the plateau drops in each of 999 random orders of its blocks, and how many are as deep as it is. */
function luckyDepths(
  values: readonly number[],
  means: readonly number[],
  need: number,
  enough: number,
): { readonly luck: number[]; readonly asDeep: number } {
  const top = topOf(means);
  const plateau = values.slice(means.findIndex((mean) => mean >= means[top.at]! - need));
  const blocks = blocksOf(plateau, memoryOf(values.slice(0, top.at + WINDOW)));
  const depth = top.depth * (1 - 1e-9);
  const rng = createRng(0).split("fall-chance");
  const luck: number[] = [];
  let asDeep = 0;
  while (luck.length < REORDERINGS && asDeep < enough) {
    const lucky = topOf(quickMeansOf(rng.shuffle(blocks).flat())).depth;
    luck.push(lucky);
    if (lucky >= depth) asDeep += 1;
  }
  return { luck, asDeep };
}

/** The values in blocks of so many, the last of which may be shorter. */
const blocksOf = (values: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, k) => values.slice(k * size, (k + 1) * size));

/** A length of blocks across which noise is forgotten, by the correlation of neighbors; 1 if each step has noise of its own. */
function memoryOf(values: readonly number[]): number {
  const left = residuals(values);
  let [products, squares] = [0, 0];
  for (let i = 1; i < left.length; i++) {
    products += left[i]! * left[i - 1]!;
    squares += square(left[i]!);
  }
  // Of a few values, the correlation is luck.
  if (squares === 0 || values.length < 2 * WINDOW) return 1;
  const r = Math.min(0.95, Math.max(0, products / squares));
  return 1 + 3 * Math.ceil((1 + r) / (1 - r) - 1.5);
}

const residuals = (values: readonly number[]): number[] => {
  const fit = risingFit(values);
  return values.map((x, i) => x - fit[i]!);
};

const noiseOf = (values: readonly number[]): number =>
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
