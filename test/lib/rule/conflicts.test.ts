import assert from "node:assert/strict";
import { recipe, recipes, type RecipeName, type RecipeOverrides } from "turnwise";

const refuses = (name: RecipeName, overrides: RecipeOverrides, message: string): void => {
  assert.throws(() => recipe(name, overrides), { name: "RangeError", message });
};

describe("a knob that another makes idle", () => {
  it("is refused: a ratio under a gate that forms none", () => {
    refuses(
      "grpo",
      { gate: "none" },
      "Cannot make recipe grpo: " +
        'ratio.level must be "none" with gate.kind "none", which forms no ratio, got "token".',
    );
  });

  it("is refused: a term triggered by clipping under a gate that clips nothing", () => {
    refuses(
      "grpo",
      { gate: "unclipped", regularizer: { clippingTriggered: "klPenalty" } },
      'Cannot make recipe grpo: regularizer.clippingTriggered.kind must be "off" with gate.kind "unclipped", ' +
        'which clips nothing, got "klPenalty".',
    );
    const clipped = recipe("grpo", { regularizer: { clippingTriggered: "gradNorm" } });
    assert.equal(clipped.regularizer.clippingTriggered.kind, "gradNorm");
  });

  it("is refused: log-probs that are computed again and never read", () => {
    const carried = (carry: "off" | "exact" | "clipped"): RecipeOverrides => ({
      order: { kind: "reverse", oldLogProb: "recomputed", carry },
    });
    refuses(
      "rloo",
      carried("off"),
      'Cannot make recipe rloo: order.oldLogProb must be "rollout" in a rule that uses no old log-probs, ' +
        'got "recomputed".',
    );
  });

  it("is taken where one reader of the recomputed log-probs is left: a ratio, a carry or the KL to the old policy", () => {
    const oldLogProb = "recomputed";
    const readers: [RecipeName, RecipeOverrides][] = [
      ["grpo", { order: { oldLogProb } }],
      ["rloo", { order: { kind: "reverse", oldLogProb, carry: "exact" } }],
      ["rloo", { order: { kind: "reverse", oldLogProb, carry: "clipped" } }],
      ["rloo", { order: { oldLogProb }, regularizer: { klOld: { coef: 0.1 } } }],
    ];
    for (const [name, overrides] of readers) {
      assert.equal(recipe(name, overrides).order.oldLogProb, "recomputed", JSON.stringify(overrides));
    }
  });

  it("is refused: old log-probs that a correction computes, or takes from the rollout engine", () => {
    const order = { oldLogProb: "recomputed" } as const;
    refuses(
      "grpo",
      { correction: "truncate", order },
      'Cannot make recipe grpo: order.oldLogProb must be "rollout" with correction.kind "truncate", which computes them ' +
        'already, got "recomputed".',
    );
    refuses(
      "grpo",
      { correction: { kind: "mask", oldLogProb: "bypass" }, order: { kind: "reverse", ...order } },
      'Cannot make recipe grpo: order.oldLogProb must be "rollout" with correction.kind "mask", which takes them from the ' +
        'rollout engine, got "recomputed".',
    );
    // Between two turn sets the policy moves, so that the second recomputation is another.
    const again = recipe("grpo", { correction: "truncate", order: { kind: "reverse", ...order } });
    assert.equal(again.order.oldLogProb, "recomputed");
  });

  it("is refused: a bypass without a ratio that could correct", () => {
    refuses(
      "rloo",
      { correction: { kind: "reject", oldLogProb: "bypass" } },
      'Cannot make recipe rloo: correction.oldLogProb must be "decoupled" with gate.kind "none", which forms no ratio ' +
        'that could correct, got "bypass".',
    );
  });

  it("is refused: bounds that let every ratio pass", () => {
    for (const kind of ["mask", "reject"] as const) {
      refuses(
        "grpo",
        { correction: { kind, low: 0, high: null } },
        `Cannot make recipe grpo: correction.high must be a number with correction.kind "${kind}" and low 0, whose bounds ` +
          "let every ratio pass, got null.",
      );
    }
    refuses(
      "grpo",
      { correction: { kind: "truncate", high: 0.5 } },
      "Cannot make recipe grpo: correction.high must be at least 1, or null, got 0.5.",
    );
  });

  it("is refused: the ratio of a whole trajectory where turns move one by one", () => {
    refuses(
      "gspo",
      { order: "forward" },
      'Cannot make recipe gspo: ratio.level must be "token" or "turn" with order.kind "forward", ' +
        'which updates turns one by one, got "trajectory".',
    );
    for (const level of ["token", "turn"] as const) {
      assert.equal(recipe("grpo", { ratio: level, order: "forward" }).ratio.level, level);
    }
  });

  it("is refused: the scale of a group without groups", () => {
    refuses(
      "rloo",
      { advantage: "gae", scale: "group" },
      'Cannot make recipe rloo: scale.kind must be "none" or "batch" or "tokens" with advantage.kind "gae", ' +
        'which has no groups, got "group".',
    );
  });

  it("is refused: the scale of a group over step rewards that are taken as they are", () => {
    refuses(
      "agentPrm",
      { scale: "group" },
      'Cannot make recipe agentPrm: scale.kind must be "none" or "batch" or "tokens" with reward.step.kind "monteCarlo" ' +
        'and advantage.kind "step", which takes it as it is, got "group".',
    );
    assert.equal(recipe("agentPrm", { scale: "batch" }).scale.kind, "batch");
    assert.equal(recipe("agentPrm", { scale: "group", reward: { step: "none" } }).scale.kind, "group");
  });

  it("is refused: the scale of the batch over an advantage that scales itself", () => {
    refuses(
      "gigpo",
      { scale: "batch" },
      'Cannot make recipe gigpo: scale.kind must be "none" or "group" or "mean" with advantage.kind "gigpo", ' +
        'which scales each of its two parts, got "batch".',
    );
    assert.equal(recipe("gigpo", { scale: "none" }).scale.kind, "none");
    assert.equal(recipe("gigpo", { scale: "group" }).scale.kind, "group");
  });

  it("is refused: epsilon 0 under groups of one, which have no spread to divide by", () => {
    refuses(
      "grpo",
      { scale: { epsilon: 0 }, advantage: { allowSingleton: true } },
      "Cannot make recipe grpo: scale.epsilon must be above 0 with allowSingleton, whose groups have no spread, " +
        "got 0.",
    );
    const taken: [RecipeName, RecipeOverrides][] = [
      ["grpo", { scale: { epsilon: 0 } }],
      ["grpo", { advantage: { allowSingleton: true } }],
      ["grpo", { scale: "none", advantage: { allowSingleton: true } }],
      ["grpo", { scale: { kind: "batch", epsilon: 0 }, advantage: { allowSingleton: true } }],
      ["grpo", { scale: { epsilon: 0 }, advantage: "leaveOneOut" }],
      // GiGPO's groups are episodes and visits: the one gets its reward, the other nothing.
      ["gigpo", { scale: { kind: "group", epsilon: 0 }, advantage: { allowSingleton: true } }],
    ];
    for (const [name, overrides] of taken) assert.ok(recipe(name, overrides), JSON.stringify(overrides));
  });
});

describe("variants", () => {
  it("belong to seeUpo, and are two", () => {
    refuses(
      "rloo",
      { variant: "theory" },
      'Cannot make recipe rloo: only seeUpo has variants, got variant "theory".',
    );
    refuses(
      "seeUpo",
      { variant: "x" as never },
      'Cannot make recipe seeUpo: variant must be "theory" or "authors", got "x".',
    );
    assert.deepEqual(recipe("seeUpo", { variant: "theory" }), recipes.seeUpo);
  });
});
