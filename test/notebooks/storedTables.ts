import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { storedTable, type StoredRecord } from "turnwise-course";
import { root } from "../support/paths.js";

/** The rows of a table in datasets/measured. */
export function stored(name: string): StoredRecord[] {
  return storedTable(fs.readFileSync(path.join(root, "datasets", "measured", `${name}.csv`), "utf8"));
}

/** An interval as the ledgers of notebooks 06 and 07 show it. */
export function shown(e: { mean: number; low: number; high: number }): string {
  return `${e.mean.toFixed(3)} [${e.low.toFixed(3)}, ${e.high.toFixed(3)}]`;
}

/** A figure computed now equals a stored one, in the six digits that tables hold. */
export function same(now: number, before: unknown): void {
  assert.equal(Number(now.toPrecision(6)), Number(before));
}

/** A column of the rows with these values. */
export function of(
  rows: readonly StoredRecord[],
  where: Readonly<Record<string, string | number>>,
  column = "score",
): number[] {
  return rows
    .filter((row) => Object.entries(where).every(([name, value]) => row[name] === value))
    .map((row) => Number(row[column]));
}
