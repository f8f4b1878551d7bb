import assert from "node:assert/strict";
import { clipStep } from "turnwise/dist/exact/exactRule";
import { exactRuleOf } from "turnwise/dist/exact/exactRuleOf";
import { recipe, recipeNames } from "turnwise/dist/rule";

describe("exactRuleOf()", () => {
  it("reads baseline, scale, order and carry from the row", () => {
    const grpo = exactRuleOf(recipe("grpo"), { groupSize: 8, step: clipStep() });
    assert.deepEqual(
      [grpo.baseline, grpo.scale, grpo.groupSize, grpo.order, grpo.carry],
      ["mean", "group", 8, "simultaneous", "off"],
    );
    assert.equal(exactRuleOf(recipe("rloo")).baseline, "leaveOneOut");
    const ppo = exactRuleOf(recipe("ppo", { scale: "none" }));
    assert.deepEqual([ppo.baseline, ppo.scale], ["critic", "none"]);
    const seeUpo = exactRuleOf(
      recipe("seeUpo", { order: { carry: { kind: "clipped", low: 0.7, high: 1.3 } } }),
    );
    assert.deepEqual([seeUpo.order, seeUpo.carry, seeUpo.carryClip], ["reverse", "clipped", [0.7, 1.3]]);
  });

  it("refuses what has no exact form, naming the cell, and plays at least reinforce, rloo, ppo, grpo, drGrpo and seeUpo", () => {
    assert.throws(() => exactRuleOf(recipe("sapo")), {
      name: "RangeError",
      message:
        "Cannot play recipe sapo exactly as gate must have an exact form on trees: current value is sapo",
    });
    const shaped = recipe("grpo", { reward: { kl: { coef: 0.1 } } });
    assert.throws(() => exactRuleOf(shaped), /reward\.kl must have an exact form on trees/);
    assert.throws(() => exactRuleOf(recipe("gspo")), /ratio must have an exact form on trees/);
    const played = recipeNames.filter((name) => {
      try {
        return exactRuleOf(recipe(name)).groupSize === Infinity;
      } catch (error) {
        assert.match(
          (error as Error).message,
          /^Cannot play recipe \w+ exactly as [\w.]+ must have an exact form/,
        );
        return false;
      }
    });
    for (const name of ["reinforce", "rloo", "ppo", "grpo", "drGrpo", "seeUpo"]) {
      assert.ok((played as string[]).includes(name), name);
    }
  });
});
