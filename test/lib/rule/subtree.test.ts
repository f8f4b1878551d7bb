// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import type { Fork } from "turnwise/internal/batch/batch";
import { subtreeAdvantage } from "turnwise/internal/rule/advantage/subtree";

const log = Math.log;

/** Trajectories of one group with one token a turn. */
function batch(surprise: readonly (readonly number[])[], fork_n: readonly (Fork | null)[]) {
  const [N, T] = [surprise.length, Math.max(...surprise.map((row) => row.length))];
  const cells = <X>(of: (n: number, t: number) => X, otherwise: X): X[] =>
    surprise.flatMap((row, n) =>
      Array.from({ length: T }, (_, t) => (t < row.length ? of(n, t) : otherwise)),
    );
  return {
    shape: [N, T, 1] as const,
    fork_n,
    trajectoryId: surprise.map((_, n) => `t${n}`),
    groupId: surprise.map(() => "u"),
    turnCount_n: Int32Array.from(surprise, (row) => row.length),
    mask_ntl: Uint8Array.from(cells(() => 1, 0)),
    oldLogProb_ntl: Float64Array.from(cells((n, t) => -surprise[n]![t]!, NaN)),
  };
}

const leaves = (parent: number, turn: number): Fork => ({ tree: "t0", parent: `t${parent}`, turn });
const rows = (values: Float64Array, T: number): number[][] =>
  Array.from({ length: values.length / T }, (_, n) => [...values.subarray(n * T, (n + 1) * T)]);
const rounded = (table: number[][]): number[][] => table.map((row) => row.map((x) => Number(x.toFixed(12))));

describe("subtreeAdvantage", () => {
  it("gives a turn the mean of the turns that follow it, by e to their surprise", () => {
    // t1 leaves t0 at turn 1, with e^u of 1 and 3 there; the shared turn 0 gets 1/4 * 4 + 3/4 * 0 = 1.
    const forked = batch([[0, 0, 0], [0, log(3)]], [null, leaves(0, 1)]); // prettier-ignore
    const weighed = rounded(rows(subtreeAdvantage(forked, [4, 0], "surprise"), 3));
    assert.deepEqual(weighed, [[1, 4, 4], [1, 0, 0]]); // prettier-ignore
    assert.deepEqual(rows(subtreeAdvantage(forked, [4, 0], "evenly"), 3), [[2, 4, 4], [2, 0, 0]]); // prettier-ignore
  });

  it("counts a turn once that several trajectories share", () => {
    // t1 and t2 leave t0 at turn 2: its turn 1 is (8 + 1 + 0) / 3 = 3; t3 leaves it at turn 1 with -1.
    // Turn 0: the mean of 3 and -1, not of all four leaves.
    const forked = batch(
      Array.from({ length: 4 }, () => [0, 0, 0]),
      [null, leaves(0, 2), leaves(0, 2), leaves(0, 1)],
    );
    const expected = [[1, 3, 8], [1, 3, 1], [1, 3, 0], [1, -1, -1]]; // prettier-ignore
    assert.deepEqual(rows(subtreeAdvantage(forked, [8, 1, 0, -1], "evenly"), 3), expected);
  });

  it("follows forks of forks, in whatever order the rows come", () => {
    // t0 leaves t1 at turn 2, which leaves t2 at turn 1.
    const forked = batch(
      Array.from({ length: 3 }, () => [0, 0, 0]),
      [leaves(1, 2), leaves(2, 1), null],
    );
    // Turn 1 of t1: (4 + 2) / 2 = 3; turn 0 of t2: (3 + 1) / 2 = 2.
    const expected = [[2, 3, 4], [2, 3, 2], [2, 1, 1]]; // prettier-ignore
    assert.deepEqual(rows(subtreeAdvantage(forked, [4, 2, 1], "evenly"), 3), expected);
  });

  it("lets trajectories of their own keep their value, to the bit, and those of other groups apart", () => {
    const alone = { ...batch([[1, 2], [3]], [null, null]), fork_n: undefined };
    assert.deepEqual(rows(subtreeAdvantage(alone, [0.1, 0.7], "surprise"), 2), [[0.1, 0.1], [0.7, 0]]); // prettier-ignore
    const two = { ...batch([[0, 0], [0, 0]], [null, leaves(0, 1)]), groupId: ["u", "v"] }; // prettier-ignore
    assert.deepEqual(rows(subtreeAdvantage(two, [1, 3], "evenly"), 2), [[1, 1], [3, 3]]); // prettier-ignore
  });
});
