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
        // A scale by the mean reward turns the update round where penalties make that mean negative: the card is right to say so.
        const turned = row.scale.kind === "mean" ? ["expected update"] : [];
        const failed = card.failed.filter((check) => !turned.includes(check));
        assert.deepEqual(failed, [], String(card));
      }),
      { numRuns, seed },
    );
  }
}
