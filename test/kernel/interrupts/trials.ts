import assert from "node:assert/strict";
import type { KernelClient } from "turnwise-kernel";
import { tryRow, type Way } from "./battery.js";
import type { Row } from "./rows.js";

/** In which way a cell is interrupted, and after how many milliseconds. */
type Round = readonly [Way, afterMs: number];

export const rounds: readonly Round[] = [
  ["message", 0],
  ["message", 10],
  ["SIGINT", 20],
];

/** A test for each of the rows: its cell is interrupted in each of the rounds given, or else in one of them, which differs from row to row. */
export function tryEach(rows: readonly Row[], kernel: () => KernelClient, given?: readonly Round[]): void {
  for (const [k, row] of rows.entries()) {
    const tried = given ?? [rounds[k % rounds.length]!];
    const ways = [...new Set(tried.map(([way]) => way))].join(" and by ");
    it(`stops ${row.title}, by ${ways}; variables, the next cell and the next gradient are right`, async () => {
      for (const [way, afterMs] of tried) {
        const { faults } = await tryRow(kernel(), row, afterMs, way);
        assert.deepEqual(faults, [], `by ${way} after ${afterMs} ms`);
      }
    });
  }
}
