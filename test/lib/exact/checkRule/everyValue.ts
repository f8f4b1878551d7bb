import assert from "node:assert/strict";
import fc from "fast-check";
import { checkRule } from "turnwise";
import { arbitraryRow, everyValue } from "../../train/arbitraryRow.js";

/** Checks so many random rows with each value of each choice. */
export function noFaultInEveryValue(numRuns: number, seed: number): void {
  for (const fixed of everyValue()) {
    fc.assert(
      fc.property(arbitraryRow(fixed), (row) => {
        const card = checkRule(row);
        assert.deepEqual(card.failed, [], String(card));
      }),
      { numRuns, seed },
    );
  }
}
