import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { recipeNames, type RecipeName } from "turnwise";
import { reportCardJob } from "turnwise/internal/card/stored";
import { recordLine, storedCardOptions, storedRecords, storedSettings } from "turnwise/internal/card/stored";
import { root } from "../../support/paths.js";

export const text: string = fs.readFileSync(
  path.join(root, "datasets", "measured", "report-card.jsonl"),
  "utf8",
);
export const lines: readonly string[] = text.trim().split("\n");

/** Computes the records of some recipes at a setting, "world groups groupSize staleness mismatch", and compares the stored lines. */
export function holdsAgain(wanted: string, names: readonly RecipeName[]): void {
  const number = storedSettings().findIndex(
    (s) => wanted === [s.world.name, s.groups, s.groupSize, s.staleness, s.mismatch].join(" "),
  );
  const values = Array.from({ length: storedCardOptions.seeds }, (_, seed) =>
    reportCardJob({ setting: number, seed, rows: names }),
  );
  const again = storedRecords(number, values, names).map(recordLine);
  const first = number * recipeNames.length;
  again.forEach((line, r) => {
    const stored = lines[first + recipeNames.indexOf(names[r]!)]!;
    near(JSON.parse(line), JSON.parse(stored), `${names[r]!} at ${wanted}`);
  });
}

/** Equal but for the last of five digits, which another processor may round in another way. */
function near(actual: unknown, expected: unknown, where: string): void {
  if (typeof actual === "number" && typeof expected === "number") {
    assert.ok(
      Math.abs(actual - expected) <= 2e-4 * Math.abs(expected) + 1e-7,
      `${where}: ${actual}, stored ${expected}`,
    );
  } else if (
    typeof actual === "object" &&
    actual !== null &&
    typeof expected === "object" &&
    expected !== null
  ) {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), where);
    for (const [name, value] of Object.entries(actual)) {
      near(value, (expected as Readonly<Record<string, unknown>>)[name], `${where} ${name}`);
    }
  } else assert.deepEqual(actual, expected, where);
}
