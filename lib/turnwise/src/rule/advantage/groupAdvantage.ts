import { expectFinite } from "../../base/expect";
import { isConstant, mean, positionsByKey, standardDeviation } from "../../base/statistics";

export interface GroupAdvantageOptions {
  readonly baseline: "mean" | "leaveOneOut";
  readonly scale: "none" | "group" | "batch" | "mean";
  /** Standard deviation with n - 1 (true, as torch.std) or n (false). */
  readonly unbiased?: boolean;
  /** Added to the standard deviation or the mean, in units of reward; left out, 1e-6 beside a deviation and 0 beside a mean. */
  readonly epsilon?: number;
  /** A group of one gets baseline 0 and deviation 1, so that its advantage is its reward. */
  readonly allowSingleton?: boolean;
}

const what = "group advantages";

/**
 * Advantage of each trajectory relative to the others of its group.
 *
 * ```
 * mean:         A_i = R_i - mean_group(R)
 * leaveOneOut:  A_i = R_i - mean_{j != i}(R_j) = G / (G - 1) * (R_i - mean_group(R))
 * group scale:  A_i / (std_group(R) + epsilon)
 * batch scale:  (A_i - mean_batch(A)) / (std_batch(A) + epsilon)
 * mean scale:   A_i / (mean_group(R) + epsilon), and 0 for all where that mean is not above 0
 * ```
 *
 * `reward` and `groupId` have shape [N]; the result is [N], in units of reward (`none`) or of one standard deviation.
 * With the own sample in the mean, the expected gradient is (G - 1) / G of the true one.
 *
 * @throws {TypeError} if the lengths differ
 * @throws {RangeError} if the batch is empty, a reward is not finite, or a group has one member, unless `allowSingleton` is
 *   given with the baseline "mean"
 * @example
 * import { groupAdvantage } from "turnwise";
 * const group = [0, 0, 1, 1];
 * groupAdvantage([1, 0, 0.5, 0.5], group, { baseline: "mean", scale: "none" }); // => [0.5, -0.5, 0, 0]
 * @see GRPO, arXiv 2402.03300 (mean, group); RLOO, arXiv 2402.14740 (leaveOneOut); SeeUPO, arXiv 2602.06554,
 *   Eq. 9 and batch normalization; MaxRL, arXiv 2602.02710 (mean, mean)
 */
export function groupAdvantage(
  reward: ArrayLike<number>,
  groupId: ArrayLike<number | string>,
  o: GroupAdvantageOptions,
): Float32Array {
  return Float32Array.from(groupAdvantage64(reward, groupId, o));
}

/** `groupAdvantage` in double precision and with any kind of group key. */
export function groupAdvantage64<K>(
  reward: ArrayLike<number>,
  groupId: ArrayLike<K>,
  o: GroupAdvantageOptions,
): Float64Array {
  const { unbiased = true, epsilon = o.scale === "mean" ? 0 : 1e-6, allowSingleton = false } = o;
  if (reward.length !== groupId.length) {
    const counts = `${String(reward.length)} rewards, ${String(groupId.length)} group ids`;
    throw new TypeError(`Cannot compute ${what}: groupId must have one entry per reward, got ${counts}.`);
  }
  if (reward.length === 0) {
    throw new RangeError(`Cannot compute ${what}: there must be at least one reward, got none.`);
  }
  expectFinite(what, "reward", reward);
  const advantage = new Float64Array(reward.length);
  for (const [group, members] of positionsByKey(groupId)) {
    const rewards = members.map((i) => reward[i]!);
    const size = members.length;
    if (size === 1 && !(allowSingleton && o.baseline === "mean")) {
      throw new RangeError(
        `Cannot compute ${what}: every group must have at least 2 members, but group ${String(group)} has 1.`,
      );
    }
    const center = size === 1 ? 0 : mean(rewards);
    const shrink = o.baseline === "leaveOneOut" ? size / (size - 1) : 1;
    const divisor = size === 1 ? 1 : divisorOf(rewards, o.scale, unbiased, epsilon);
    const idle = divisor === Infinity || (size > 1 && isConstant(rewards));
    members.forEach((i) => {
      advantage[i] = idle ? 0 : (shrink * (reward[i]! - center)) / divisor;
    });
  }
  return o.scale === "batch" ? whiten(advantage, unbiased, epsilon) : advantage;
}

/** Divisor of the advantages of a group of these rewards; Infinity if they become 0. */
export function divisorOf(
  rewards: readonly number[],
  scale: GroupAdvantageOptions["scale"],
  unbiased: boolean,
  epsilon: number,
): number {
  if (scale === "group") return standardDeviation(rewards, unbiased) + epsilon;
  if (scale !== "mean") return 1;
  const center = mean(rewards);
  // A mean that is 0 but for rounding would make of a reward of 1 an advantage of 1e16.
  const rounding = 1e-12 * Math.max(...rewards.map(Math.abs));
  return center > rounding ? center + epsilon : Infinity;
}

/** (x - mean) / (std + epsilon) over all entries; a constant list becomes 0. */
export function whiten(values: Float64Array, unbiased: boolean, epsilon: number): Float64Array {
  if (values.length === 0 || isConstant(values)) return new Float64Array(values.length);
  const center = mean(values);
  const deviation = standardDeviation(values, unbiased) + epsilon;
  return values.map((x) => (x - center) / deviation);
}
