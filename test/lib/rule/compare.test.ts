import assert from "node:assert/strict";
import { compareRecipes, recipe } from "turnwise/dist/rule";

describe("compareRecipes", () => {
  it("lists the cells in which two rows differ, and no others", () => {
    assert.deepEqual(compareRecipes("grpo", "dapo").differences, [
      { cell: "reward.overlong", values: ["off", "–"] },
      { cell: "reward.overlong.maxLength", values: ["–", "20480"] },
      { cell: "reward.overlong.buffer", values: ["–", "4096"] },
      { cell: "filter", values: ["none", "zeroVariance"] },
      { cell: "filter.maxGenerations", values: ["–", "10"] },
      { cell: "gate.clipHigh", values: ["0.2", "0.28"] },
      { cell: "aggregate", values: ["sequenceMeanTokenMean", "tokenMean"] },
    ]);
  });

  it("takes changed rows, and says when there is no difference", () => {
    const changed = compareRecipes("grpo", recipe("grpo", { scale: { epsilon: 0 } }));
    assert.equal(String(changed), "scale.epsilon: 0.000001 | 0");
    assert.equal(String(compareRecipes("stPpo", "soPpo")), "stPpo and soPpo are the same row");
  });

  it("shows itself in a notebook as a table", () => {
    const comparison = compareRecipes("turnPpo", "soPpo") as unknown as Record<
      symbol,
      () => Record<string, string>
    >;
    const bundle = comparison[Symbol.for("Jupyter.display")]!.call(comparison);
    assert.equal(
      bundle["text/markdown"],
      [
        "| cell | turnPpo | soPpo |",
        "| --- | --- | --- |",
        "| regulariser.clippingTriggered | off | gradNorm |",
        "| regulariser.clippingTriggered.floor | – | 1 |",
      ].join("\n"),
    );
  });

  it("refuses a single row", () => {
    assert.throws(() => compareRecipes("grpo"), {
      name: "RangeError",
      message: "Cannot compare recipes as there must be at least two: current number is 1",
    });
  });
});
