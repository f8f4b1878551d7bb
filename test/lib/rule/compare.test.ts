import assert from "node:assert/strict";
import { compareRecipes, recipe } from "turnwise";

describe("compareRecipes", () => {
  it("lists the fields in which two rules differ, and no others", () => {
    assert.deepEqual(compareRecipes("grpo", "dapo").differences, [
      { field: "reward.overlong", values: ["off", "–"] },
      { field: "reward.overlong.maxLength", values: ["–", "20480"] },
      { field: "reward.overlong.buffer", values: ["–", "4096"] },
      { field: "filter", values: ["none", "zeroVariance"] },
      { field: "filter.maxGenerations", values: ["–", "10"] },
      { field: "gate.clipHigh", values: ["0.2", "0.28"] },
      { field: "aggregate", values: ["sequenceMeanTokenMean", "tokenMean"] },
    ]);
  });

  it("takes changed rows, and says when there is no difference", () => {
    const changed = compareRecipes("grpo", recipe("grpo", { scale: { epsilon: 0 } }));
    assert.equal(String(changed), "scale.epsilon: 0.000001 | 0");
    const again = compareRecipes("soPpo", recipe("soPpo", { gate: "clip" }));
    assert.equal(String(again), "soPpo and soPpo are the same rule");
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
        "| field | turnPpo | soPpo |",
        "| --- | --- | --- |",
        "| regularizer.clippingTriggered | off | gradNorm |",
        "| regularizer.clippingTriggered.floor | – | 1 |",
      ].join("\n"),
    );
  });

  it("sorts fields as the rules do, and takes more than two", () => {
    // grpo and drGrpo differ in scale and aggregate; ppo also in its advantage, which stands before both.
    const { names, differences } = compareRecipes("drGrpo", "grpo", "ppo");
    assert.deepEqual(names, ["drGrpo", "grpo", "ppo"]);
    assert.deepEqual(
      differences.slice(0, 8).map(({ field, values }) => [field, ...values]),
      [
        ["advantage", "mean", "mean", "gae"],
        ["advantage.groupBy", "task", "task", "–"],
        ["advantage.allowSingleton", "false", "false", "–"],
        ["advantage.level", "–", "–", "token"],
        ["advantage.gamma", "–", "–", "1"],
        ["advantage.lambda", "–", "–", "1"],
        ["advantage.valueCoef", "–", "–", "0.5"],
        ["advantage.valueTarget", "–", "–", "monteCarlo"],
      ],
    );
    const columns = differences.map(({ field }) => field.split(".")[0]);
    assert.deepEqual([...new Set(columns)], ["advantage", "scale", "aggregate"]);
  });

  it("still answers to the former name of a field, which is not listed", () => {
    const [first] = compareRecipes("grpo", "dapo").differences;
    assert.equal(first!.cell, "reward.overlong");
    assert.deepEqual(Object.keys(first!), ["field", "values"]);
  });

  it("says in a notebook, too, when there is no difference", () => {
    const same = compareRecipes("soPpo", "stPpo") as unknown as Record<symbol, () => Record<string, string>>;
    assert.deepEqual(same[Symbol.for("Jupyter.display")]!.call(same), {
      "text/markdown": "soPpo and soPpo are the same rule",
      "text/plain": "soPpo and soPpo are the same rule",
    });
    const two = compareRecipes("drGrpo", "seeUpo", "dapo");
    assert.equal(String(two).split("\n").length, two.differences.length);
  });

  it("refuses a single row", () => {
    assert.throws(() => compareRecipes("grpo"), {
      name: "RangeError",
      message: "Cannot compare recipes: there must be at least two, got 1.",
    });
  });
});
