import type { Rng } from "turnwise/internal/base/rng";
import { mean, positionsByKey, standardDeviation } from "turnwise/internal/base/statistics";
import type { Kind } from "./diagnose";

/** Rewards, and the group of each. */
export interface GroupBatch {
  readonly reward_n: readonly number[];
  readonly groupId_n: readonly number[];
}

function batchOf(rng: Rng, sizes: readonly number[], mixed: boolean): GroupBatch {
  const first = rng.below(50);
  const rows = sizes.flatMap((size, g) => {
    // Groups differ in level and in spread, so that the batch's statistics are not those of a group.
    const [level, spread] = [3 * rng.normal(), 0.2 + 2 * rng.next()];
    return Array.from({ length: size }, () => ({
      reward: level + spread * rng.normal(),
      groupId: first + 7 * g,
    }));
  });
  const order = mixed ? rng.shuffle(rows) : rows;
  return { reward_n: order.map(({ reward }) => reward), groupId_n: order.map(({ groupId }) => groupId) };
}

/** Hidden batches from plain to special: blocks of equal size, blocks of unequal sizes, interleaved groups. */
export function groupKinds(rng: Rng): Kind<GroupBatch>[] {
  const many = (make: (rng: Rng) => GroupBatch): GroupBatch[] =>
    Array.from({ length: 8 }, (_, i) => make(rng.split("batch", i)));
  return [
    { label: "groups of equal size", inputs: many((r) => batchOf(r.split("equal"), [4, 4, 4], false)) },
    {
      label: "groups of unequal size",
      inputs: many((r) => batchOf(r.split("unequal"), [2, 5, 3], false)),
      sentence: "it is right when all groups have the same size and wrong when they do not.",
    },
    {
      label: "groups that lie mixed in the batch",
      inputs: many((r) => batchOf(r.split("mixed"), [3, 4, 2], true)),
      sentence:
        "it takes neighbors for a group; members of a group may lie anywhere, and groupId says where.",
    },
    {
      label: "a group of one",
      inputs: many((r) => batchOf(r.split("one"), [1, 4, 1, 3], true)),
      sentence: "it is wrong for a group of one; the task says what such a member gets.",
    },
  ];
}

export const sum = (values: readonly number[]): number => values.reduce((total, x) => total + x, 0);
export { mean, standardDeviation as std };

/** Computes a number for each member from the rewards of its group and its place among them. */
export function perMember(
  { reward_n, groupId_n }: GroupBatch,
  f: (group: readonly number[], own: number, place: number) => number,
): number[] {
  const result = new Array<number>(reward_n.length);
  for (const members of positionsByKey(groupId_n).values()) {
    const rewards = members.map((n) => reward_n[n]!);
    members.forEach((n, place) => {
      result[n] = f(rewards, rewards[place]!, place);
    });
  }
  return result;
}
