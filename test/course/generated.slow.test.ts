// Uses internals of turnwise/rule.
import assert from "node:assert/strict";
import path from "node:path";
import { recipeNames } from "turnwise";
import { measuredOnLookUp } from "turnwise/internal/rule/measured";
import { root } from "../support/paths.js";
import { artifactsOf, itIsCurrent } from "./generated.js";

interface Measure {
  readonly seeds: readonly number[];
  reached(recipe: string, seed: number): Promise<number>;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { seeds, reached } = require(path.join(root, "lib", "turnwise", "bin", "measure.cjs")) as Measure;

describe("generated files that take seconds", function () {
  this.timeout(300_000);
  artifactsOf("slow").forEach(itIsCurrent);
});

describe("what every recipe reaches on LookUp-v0", function () {
  this.timeout(300_000);

  it("is stored for all seeds", () => {
    assert.deepEqual(Object.keys(measuredOnLookUp), recipeNames);
    for (const [name, values] of Object.entries(measuredOnLookUp))
      assert.equal(values!.length, seeds.length, name);
  });

  // One seed of every fifth recipe, another one for the next; generated.matrix.test.ts trains them all.
  for (const [k, seed] of seeds.entries()) {
    it(`is stored as it is trained now, with seed ${seed} for some recipes`, async () => {
      for (const name of recipeNames.filter((_, i) => i % 25 === 5 * k))
        assert.equal(await reached(name, seed), measuredOnLookUp[name]![k], name);
    });
  }
});
