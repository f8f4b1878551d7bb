import assert from "node:assert/strict";
import { checkRule, recipe, recipeNames, type Recipe } from "turnwise";
import { faults } from "./faults.js";
import { ownGrpo } from "./ownGrpo.js";

/** Seconds of processor time, which do not count waiting for a core that others have. */
function secondsOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1e6;
}

describe("checkRule() takes less than five seconds of a processor", () => {
  const rows: readonly (readonly [string, Recipe])[] = [
    ...recipeNames.map((name) => [name, recipe(name)] as const),
    ["GRPO, written as a loss", ownGrpo],
    ...faults.map(({ mistake, row }) => [mistake, row] as const),
  ];
  for (const [name, row] of rows) {
    it(`for ${name}`, () => {
      const seconds = secondsOf(() => checkRule(row));
      assert.ok(seconds < 5, `${seconds} s`);
    });
  }
});
