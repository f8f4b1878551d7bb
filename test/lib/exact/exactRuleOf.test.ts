import assert from "node:assert/strict";
import { clipStep, exactRuleOf } from "turnwise/exact";
import { recipe, recipeNames, type Recipe } from "turnwise";

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
      message: "Cannot play recipe sapo exactly: gate must have an exact form on trees, got sapo.",
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
          /^Cannot play recipe \w+ exactly: [\w.]+ must have an exact form/,
        );
        return false;
      }
    });
    for (const name of ["reinforce", "rloo", "ppo", "grpo", "drGrpo", "seeUpo"]) {
      assert.ok((played as string[]).includes(name), name);
    }
  });
});

/** A row that has an exact form, with some cells replaced, past what recipe() would refuse. */
const changed = (cells: Partial<Recipe>): Recipe => ({ ...recipe("grpo"), ...cells });

describe("exactRuleOf(), cell by cell", () => {
  const grpo = recipe("grpo");
  const { regularizer, reward, update } = grpo;
  const penalty = {
    coef: 0.1,
    estimator: "exact",
    direction: "reverse",
    correction: "none",
    clamp: null,
  } as const;

  const refused: [cell: string, value: string, cells: Partial<Recipe>][] = [
    ["reward.overlong", "on", { reward: { ...reward, overlong: { maxLength: 8, buffer: 2 } } }],
    [
      "reward.kl",
      "on",
      { reward: { ...reward, kl: { coef: 0.1, estimator: "k1", clamp: null, reference: "frozen" } } },
    ],
    ["filter", "zeroVariance", { filter: { kind: "zeroVariance", maxGenerations: 2 } }],
    ["ratio", "trajectory", { ratio: { level: "trajectory", pooling: "product" } }],
    ["scale.clamp", "5", { scale: { kind: "batch", unbiased: false, epsilon: 0, clamp: 5 } }],
    ["order.oldLogProb", "recomputed", { order: { kind: "simultaneous", oldLogProb: "recomputed" } }],
    ["regularizer.klReference", "on", { regularizer: { ...regularizer, klReference: penalty } }],
    ["regularizer.klOld", "on", { regularizer: { ...regularizer, klOld: penalty } }],
    ["regularizer.entropyCoef", "0.01", { regularizer: { ...regularizer, entropyCoef: 0.01 } }],
    [
      "regularizer.clippingTriggered",
      "gradNorm",
      { regularizer: { ...regularizer, clippingTriggered: { kind: "gradNorm", floor: 1 } } },
    ],
    [
      "advantage",
      "perTurn",
      {
        advantage: { kind: "perTurn", credit: "reward", baseline: "mean", onlyMember: "zero", minGroup: 2 },
      },
    ],
    ["advantage", "mean", { advantage: { kind: "mean", groupBy: "taskAgent", allowSingleton: false } }],
    [
      "advantage",
      "gae",
      {
        scale: { kind: "none" },
        advantage: {
          kind: "gae",
          level: "turn",
          gamma: 0.99,
          lambda: 1,
          valueCoef: 1,
          valueTarget: "monteCarlo",
        },
      },
    ],
    [
      "update.stepScale",
      "effectiveSamples",
      { update: { ...update, stepScale: { kind: "effectiveSamples", base: 1, power: "root" } } },
    ],
    ["gate", "dualClip", { gate: { kind: "dualClip", clipLow: 0.2, clipHigh: 0.2, dualClip: 3 } }],
    ["gate", "none", { gate: { kind: "none" }, update: { ...update, epochs: 1, minibatches: 2 } }],
  ];
  for (const [cell, value, cells] of refused) {
    it(`refuses ${cell}: ${value}`, () => {
      assert.throws(() => exactRuleOf(changed(cells)), {
        name: "RangeError",
        message: `Cannot play recipe grpo exactly: ${cell} must have an exact form on trees, got ${value}.`,
      });
    });
  }

  it("makes epochs x minibatches ascent steps of the optimizer's rate, with the gate's own bounds", () => {
    const optimizer = { ...update.optimizer, learningRate: 0.5 };
    const step = (gate: Recipe["gate"], epochs: number): unknown =>
      exactRuleOf(changed({ gate, update: { ...update, epochs, minibatches: 3, optimizer } })).step;
    const ascent = { kind: "gradient", learningRate: 0.5 };
    assert.deepEqual(step({ kind: "clip", clipLow: 0.1, clipHigh: 0.3 }, 2), {
      ...ascent,
      steps: 6,
      clip: { low: 0.1, high: 0.3 },
    });
    assert.deepEqual(step({ kind: "unclipped" }, 4), { ...ascent, steps: 12, clip: null });
    const once = changed({
      gate: { kind: "none" },
      update: { ...update, epochs: 1, minibatches: 1, optimizer },
    });
    assert.deepEqual(exactRuleOf(once).step, { ...ascent, steps: 1, clip: null });
    // Another step stands in for any gate.
    assert.deepEqual(exactRuleOf(recipe("sapo"), { step: clipStep() }).step, clipStep());
  });

  it("has baselines for return, mean, leaveOneOut and an undiscounted critic", () => {
    const none = { kind: "none" } as const;
    const baseline = (advantage: Recipe["advantage"]): string =>
      exactRuleOf(changed({ advantage, scale: none })).baseline;
    assert.equal(baseline({ kind: "return" }), "none");
    assert.equal(baseline({ kind: "mean", groupBy: "task", allowSingleton: false }), "mean");
    assert.equal(baseline({ kind: "leaveOneOut" }), "leaveOneOut");
    const gae = { kind: "gae", level: "turn", lambda: 1, valueCoef: 1, valueTarget: "monteCarlo" } as const;
    assert.equal(baseline({ ...gae, gamma: 1 }), "critic");
  });

  it("takes the variance's divisor from a group's scale only, and many groups unless told otherwise", () => {
    const rule = (scale: Recipe["scale"]): [string, boolean, number] => {
      const { scale: kind, unbiased, groupSize } = exactRuleOf(changed({ scale }));
      return [kind, unbiased, groupSize];
    };
    assert.deepEqual(rule({ kind: "group", unbiased: true, epsilon: 0 }), ["group", true, Infinity]);
    assert.deepEqual(rule({ kind: "group", unbiased: false, epsilon: 0 }), ["group", false, Infinity]);
    assert.deepEqual(rule({ kind: "batch", unbiased: true, epsilon: 0, clamp: null }), [
      "batch",
      false,
      Infinity,
    ]);
    assert.deepEqual(rule({ kind: "none" }), ["none", false, Infinity]);
  });

  it("reads carry and its bounds where turns follow each other", () => {
    const rule = (order: Recipe["order"]): unknown[] => {
      const { order: kind, carry, carryClip } = exactRuleOf(changed({ order }));
      return [kind, carry, carryClip];
    };
    const oldLogProb = "rollout";
    const own = { oldLogProb, steps: "each" } as const;
    assert.deepEqual(rule({ kind: "simultaneous", oldLogProb }), ["simultaneous", "off", [0.8, 1.2]]);
    assert.deepEqual(rule({ kind: "forward", ...own, carry: { kind: "exact", pooling: "product" } }), [
      "forward",
      "exact",
      [0.8, 1.2],
    ]);
    assert.deepEqual(rule({ kind: "random", ...own, carry: { kind: "off" } }), ["random", "off", [0.8, 1.2]]);
    const clipped = { kind: "clipped", pooling: "product", low: 0.7, high: 1.1 } as const;
    assert.deepEqual(rule({ kind: "reverse", ...own, carry: clipped }), ["reverse", "clipped", [0.7, 1.1]]);
  });
});
