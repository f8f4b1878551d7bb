import { exp } from "../base/elementary/exp";
import { log } from "../base/elementary/log";
import { square } from "../base/elementary/square";

/** A finite distribution of returns: what a trajectory may get, and how likely. */
export interface ReturnDistribution {
  readonly value: readonly number[];
  readonly probability: readonly number[];
}

/** Whether a group's advantages are divided by its standard deviation, or by its mean. */
export type GroupScale = "none" | "group" | "mean";

/** Options for turning a group's returns into advantages. */
export interface GroupExpectationOptions {
  /** G, the number of trajectories in a group; Infinity is the limit of large groups. */
  readonly groupSize: number;
  readonly baseline?: "mean" | "leaveOneOut";
  /** `group` divides by the group's standard deviation, `mean` by its mean; without spread, or with no mean above 0, all get 0. */
  readonly scale: GroupScale;
  /** Divide by G - 1 (true) or by G (false, the default here) in the variance. */
  readonly unbiased?: boolean;
}

/** Larger enumerations would take minutes and are refused. */
const MAX_COMPOSITIONS = 5_000_000;

/**
 * The expected advantage of a trajectory given its own return, over every composition of the rest of its group.
 *
 *   phi_G(r) = E[ A_i | R_i = r ],   A_i = (R_i - mean(R)) / scale(R),   R_j ~ distribution for j != i
 *
 * computed exactly, as a sum over multinomial counts. In the tabular exact case a rule is monotone if phi_G is affine and
 * increasing on the support of the returns; see `affineTest`.
 *
 * @returns phi_G at every value of the distribution, in order
 * @throws {RangeError} if probabilities are negative or do not sum to 1, G is not a whole number >= 2, or there are more than
 *   five million compositions
 * @see GRPO, arXiv 2402.03300, section 4.1, for the advantage
 */
export function expectedAdvantageByReturn(
  distribution: ReturnDistribution,
  options: GroupExpectationOptions,
): Float64Array {
  return expectedAdvantageParts(distribution, options).mean;
}

/** The expected advantage given the trajectory's own return, split by sign, because a clip treats the signs differently. */
export interface AdvantageParts {
  /** E[A | R = r] = positive + negative. */
  readonly mean: Float64Array;
  /** E[max(A, 0) | R = r]. */
  readonly positive: Float64Array;
  /** E[min(A, 0) | R = r]. */
  readonly negative: Float64Array;
}

/**
 * `expectedAdvantageByReturn` with its positive and its negative part apart.
 *
 *   E[min(rho A, clip(rho) A) | R = r] = min(rho, 1 + clipHigh) E[A+ | r] + max(rho, 1 - clipLow) E[A- | r]
 *
 * The same return can have an advantage of either sign, depending on the rest of its group.
 *
 * @throws {RangeError} if `expectedAdvantageByReturn` would throw
 */
export function expectedAdvantageParts(
  distribution: ReturnDistribution,
  options: GroupExpectationOptions,
): AdvantageParts {
  checkDistribution(distribution);
  const { value, probability, index } = mergeEqualReturns(distribution);
  const { groupSize: G, baseline = "mean", scale, unbiased = false } = options;
  if (G === Infinity) return partsOf(limit({ value, probability }, scale), index);
  if (!Number.isInteger(G) || G < 2) {
    throw new RangeError(`Cannot enumerate groups: groupSize must be an integer >= 2 or Infinity, got ${G}.`);
  }
  const K = value.length;
  const compositions = binomial(G - 1 + K - 1, K - 1);
  if (compositions > MAX_COMPOSITIONS) {
    throw new RangeError(
      `Cannot enumerate groups: their compositions must be at most ${MAX_COMPOSITIONS}, ` +
        `but ${K} returns in groups of ${G} have ${compositions}.`,
    );
  }
  const phi = new Float64Array(K);
  const positive = new Float64Array(K);
  const first = value[0]!;
  forEachComposition(G - 1, probability, (count, weight) => {
    // Mean and squared distances of the others, in two passes; its own return is then added as Welford does.
    let sum = 0;
    for (let k = 0; k < K; k++) sum += count[k]! * (value[k]! - first);
    const others = sum / (G - 1);
    let squares = 0;
    for (let k = 0; k < K; k++) squares += count[k]! * square(value[k]! - first - others);
    for (let k = 0; k < K; k++) {
      if (count[k] === G - 1) continue; // a group without spread has advantage 0
      const distance = value[k]! - first - others;
      let advantage = baseline === "mean" ? (distance * (G - 1)) / G : distance;
      if (scale === "group") {
        const variance = (squares + (distance * distance * (G - 1)) / G) / (unbiased ? G - 1 : G);
        advantage /= Math.sqrt(variance);
      } else if (scale === "mean") {
        const mean = first + others + distance / G;
        if (!(mean > 0)) continue;
        advantage /= mean;
      }
      phi[k]! += weight * advantage;
      if (advantage > 0) positive[k]! += weight * advantage;
    }
  });
  return {
    mean: pick(phi, index),
    positive: pick(positive, index),
    negative: pick(
      phi.map((x, k) => x - positive[k]!),
      index,
    ),
  };
}

/** An advantage that is certain has one sign. */
function partsOf(phi: Float64Array, index: readonly number[]): AdvantageParts {
  const mean = pick(phi, index);
  return { mean, positive: mean.map((a) => Math.max(a, 0)), negative: mean.map((a) => Math.min(a, 0)) };
}

/** Merges equal returns: whether a group has spread must not depend on how its distribution is written. */
function mergeEqualReturns({ value, probability }: ReturnDistribution): {
  value: number[];
  probability: number[];
  index: number[];
} {
  const distinct = [...new Set(value)];
  const index = value.map((v) => distinct.indexOf(v));
  const merged = distinct.map(() => 0);
  index.forEach((to, k) => (merged[to]! += probability[k]!));
  return { value: distinct, probability: merged, index };
}

function pick(phi: Float64Array, index: readonly number[]): Float64Array {
  return Float64Array.from(index, (k) => phi[k]!);
}

/** G = infinity: the group's mean and spread are those of the distribution. */
function limit({ value, probability }: ReturnDistribution, scale: GroupScale): Float64Array {
  const mean = value.reduce((total, v, k) => total + v * probability[k]!, 0);
  const variance = value.reduce((total, v, k) => total + square(v - mean) * probability[k]!, 0);
  const divisor = { none: 1, group: Math.sqrt(variance), mean }[scale];
  const flat = variance === 0 || (scale === "mean" && mean <= 0);
  return Float64Array.from(value, (v) => (flat ? 0 : (v - mean) / divisor));
}

/** Whether an expected advantage is an increasing affine function of the return. */
export interface AffineTest {
  /** Whether one increasing line goes through every point (return, phi). */
  readonly affineIncreasing: boolean;
  /** Slope through the first and last return; NaN for a single return. */
  readonly slope: number;
  /** Largest distance of a point from that line, in units of phi. */
  readonly deviation: number;
}

/**
 * Whether phi is affine and increasing on the support of the returns.
 *
 * If phi_G(r) = a r + b with a > 0, the expected advantage given (history, action) is a Q(history, action) + const, so the
 * clipped surrogate improves the return for all turns at once (policy improvement). With three or more returns, finite G and
 * division by the group's standard deviation this fails.
 */
export function affineTest(value: readonly number[], phi: ArrayLike<number>, tolerance = 1e-9): AffineTest {
  const order = value.map((_, k) => k).sort((a, b) => value[a]! - value[b]!);
  const first = order[0]!;
  const last = order.at(-1)!;
  const slope = (phi[last]! - phi[first]!) / (value[last]! - value[first]!);
  const deviation = Math.max(
    0,
    ...order.map((k) => Math.abs(phi[k]! - (phi[first]! + slope * (value[k]! - value[first]!)))),
  );
  return { affineIncreasing: slope > 0 && deviation <= tolerance, slope, deviation };
}

/**
 * The expected advantage of each arm of a one-turn bandit under group-relative advantages, exactly.
 *
 *   E[A | arm] = sum_r P(r | arm) phi_G(r),   returns of the others drawn from the mixture of arms under the policy
 *
 * @param arms the return distribution of every arm
 * @param policy the probability of every arm
 * @throws {RangeError} if `expectedAdvantageByReturn` would throw
 */
export function expectedAdvantageByArm(
  arms: readonly ReturnDistribution[],
  policy: readonly number[],
  options: GroupExpectationOptions,
): Float64Array {
  const support = [...new Set(arms.flatMap((arm) => arm.value))].sort((a, b) => a - b);
  const onSupport = arms.map((arm) =>
    support.map((v) => arm.value.reduce((total, x, k) => total + (x === v ? arm.probability[k]! : 0), 0)),
  );
  const mixture = support.map((_, s) => policy.reduce((total, p, a) => total + p * onSupport[a]![s]!, 0));
  const phi = expectedAdvantageByReturn({ value: support, probability: mixture }, options);
  return Float64Array.from(onSupport, (p) => p.reduce((total, q, s) => total + q * phi[s]!, 0));
}

function checkDistribution({ value, probability }: ReturnDistribution): void {
  if (value.length !== probability.length || value.length === 0) {
    throw new TypeError(
      `Cannot enumerate groups: every return must have a probability, ` +
        `got ${value.length} returns and ${probability.length} probabilities.`,
    );
  }
  const total = probability.reduce((sum, p) => sum + p, 0);
  const bad = probability.find((p) => !(p >= 0));
  if (bad !== undefined || Math.abs(total - 1) > 1e-9) {
    throw new RangeError(
      `Cannot enumerate groups: probabilities must be >= 0 and sum to 1, got ${probability.join(", ")}.`,
    );
  }
}

function binomial(n: number, k: number): number {
  let c = 1;
  for (let i = 1; i <= k; i++) c = (c * (n - k + i)) / i;
  return Math.round(c);
}

/** Visits every way of spreading `n` draws over the outcomes, with its multinomial probability. */
function forEachComposition(
  n: number,
  probability: readonly number[],
  visit: (count: Int32Array, weight: number) => void,
): void {
  const K = probability.length;
  const logFactorial = new Float64Array(n + 1);
  for (let i = 2; i <= n; i++) logFactorial[i] = logFactorial[i - 1]! + log(i);
  const logP = probability.map((p) => log(p));
  const count = new Int32Array(K);
  const place = (k: number, left: number, logWeight: number): void => {
    if (k === K - 1) {
      if (left > 0 && probability[k] === 0) return;
      count[k] = left;
      const tail = left === 0 ? 0 : left * logP[k]! - logFactorial[left]!;
      visit(count, exp(logFactorial[n]! + logWeight + tail));
      return;
    }
    const most = probability[k] === 0 ? 0 : left;
    for (let c = 0; c <= most; c++) {
      count[k] = c;
      place(k + 1, left - c, logWeight + (c === 0 ? 0 : c * logP[k]! - logFactorial[c]!));
    }
  };
  place(0, n, 0);
}
