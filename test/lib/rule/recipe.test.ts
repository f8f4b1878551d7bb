// Uses internals of turnwise/schema.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  compareRecipes,
  explain,
  recipe,
  recipeNames,
  recipes,
  type Recipe,
  type RecipeOverrides,
} from "turnwise";
import { gates } from "turnwise/internal/rule/gate/index";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { knobsOf, quoted } from "turnwise/internal/schema/index";

const refuses = (overrides: unknown, message: string, name: "grpo" | "rloo" = "grpo"): void => {
  assert.throws(() => recipe(name, overrides as RecipeOverrides), { name: "RangeError", message });
};

describe("recipe", () => {
  it("returns the row of the table, frozen to the last cell", () => {
    for (const name of recipeNames) {
      assert.deepEqual(recipe(name), recipes[name]);
      assert.equal(recipe(name).name, name);
      assert.deepEqual(JSON.parse(JSON.stringify(recipe(name))), recipe(name), "a row is plain JSON data");
    }
    assert.throws(() => {
      (recipe("grpo").update as { epochs: number }).epochs = 9;
    }, TypeError);
  });

  it("changes the named cells and leaves all others", () => {
    const row = recipe("grpo", { gate: { clipHigh: 0.28 }, update: { epochs: 4 } });
    assert.deepEqual(row, {
      ...recipes.grpo,
      gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.28 },
      update: { ...recipes.grpo.update, epochs: 4 },
    });
  });

  it("starts another choice from its own defaults and keeps the knobs that both share", () => {
    assert.deepEqual(recipe("grpo", { scale: { kind: "batch", clamp: 3 } }).scale, {
      kind: "batch",
      unbiased: true,
      epsilon: 1e-6,
      clamp: 3,
    });
    const dual = recipe("grpo", { gate: { kind: "dualClip", clipLow: 0.1 } }).gate;
    assert.deepEqual(dual, { kind: "dualClip", clipLow: 0.1, clipHigh: 0.2, dualClip: 3 });
  });

  it("takes the bare name of a choice", () => {
    assert.deepEqual(recipe("grpo", { scale: "none" }).scale, { kind: "none" });
    assert.deepEqual(recipe("seeUpo", { order: { carry: "off" } }).order, {
      kind: "reverse",
      oldLogProb: "rollout",
      carry: { kind: "off" },
      steps: "each",
    });
  });

  it("reaches every row of the table from every other by naming its cells", () => {
    for (const from of recipeNames) {
      for (const to of recipeNames) {
        const { name: _, ...cells } = recipes[to];
        assert.deepEqual(recipe(from, cells), { ...recipes[to], name: from }, `${from} to ${to}`);
      }
    }
  });

  it("either returns a row that it would return again, or refuses with a sentence, whatever it is given", () => {
    const leaf = fc.oneof(
      fc.constantFrom("none", "mean", "batch", "clip", "turn", "product", "reverse", "exact", null, true),
      fc.double(),
      fc.integer({ min: -2, max: 3 }),
    );
    const knob = fc.constantFrom(
      "kind",
      "level",
      "pooling",
      "clipLow",
      "clamp",
      "carry",
      "epochs",
      "coef",
      "klOld",
    );
    const cell = fc.constantFrom(...Object.keys(recipes.grpo).filter((key) => key !== "name"));
    const overrides = fc.dictionary(cell, fc.oneof(leaf, fc.dictionary(knob, leaf, { maxKeys: 2 })), {
      maxKeys: 3,
    });
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...recipeNames), overrides, (name, given) => {
        try {
          const { name: _, ...cells } = recipe(name, given as RecipeOverrides);
          assert.deepEqual(recipe(name, cells), { ...cells, name });
          accepted += 1;
        } catch (error) {
          if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
          assert.match(
            error.message,
            /^Cannot make recipe \w+: (.+ must (be|have) .+, got |unknown option )/,
          );
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(accepted > 50, String(accepted));
  });

  it("finds the row of a former name, alone, changed, explained and compared", () => {
    assert.deepEqual(recipe("stPpo"), recipes.soPpo);
    assert.equal(recipe("stPpo", { gate: { clipHigh: 0.3 } }).name, "soPpo");
    assert.equal(explain("stPpo").rule.name, "soPpo");
    assert.match(
      explain("stPpo").deviations.join(" "),
      /which calls it ST-PPO \(recipe\("stPpo"\) gives this rule\)/,
    );
    assert.deepEqual(compareRecipes("stPpo", "soPpo").differences, []);
    // A row out of a file of an earlier version.
    const old = { ...recipes.soPpo, name: "stPpo" } as unknown as Recipe;
    assert.deepEqual(recipe(old), recipes.soPpo);
  });

  it("gives SeeUPO in two variants whose differences are knobs", () => {
    assert.equal(recipe("seeUpo", { variant: "theory" }).name, "seeUpo");
    const authors = recipe("seeUpo", { variant: "authors" });
    assert.deepEqual(authors, recipes.seeUpoAuthors);
    const same = recipe("seeUpo", {
      advantage: { allowSingleton: true },
      scale: { kind: "batch", clamp: 3 },
      ratio: { pooling: "geometric" },
      aggregate: { kind: "sequenceMeanTokenMean", per: "turn" },
      order: { oldLogProb: "recomputed", carry: { kind: "clipped", pooling: "geometric" } },
      regularizer: { klReference: { coef: 0.002, form: "seeUpo" } },
      update: authors.update,
    });
    assert.deepEqual({ ...same, name: "seeUpoAuthors" }, authors);
  });

  it("refuses names, cells and knobs that do not exist", () => {
    assert.throws(() => recipe("ppp" as never), {
      name: "RangeError",
      message: `Cannot make a recipe: unknown rule "ppp".\nDid you mean "ppo"?\nrecipeNames lists all: ${recipeNames.join(", ")}.`,
    });
    refuses(
      { clip: 0.2 },
      `Cannot make recipe grpo: unknown option "clip".\nA recipe may have only reward, forks, demonstrations, filter, advantage, scale, correction, ratio, gate, aggregate, order, regularizer, loss, update.`,
    );
    refuses(
      { gate: { clipMiddle: 0.2 } },
      'Cannot make recipe grpo: unknown option "gate.clipMiddle".\nGate with kind "clip" may have only clipLow, clipHigh.',
    );
    refuses(
      { gate: { kind: "squash" } },
      `Cannot make recipe grpo: gate.kind must be ${quoted(Object.keys(gates))}, got "squash".`,
    );
  });

  it("says where a knob stands that was looked for in the wrong place", () => {
    refuses(
      { clipLow: 0.2 },
      `Cannot make recipe grpo: unknown option "clipLow".\nDid you mean "gate.clipLow"?`,
    );
    refuses(
      { gate: { dualClip: 3 } },
      'Cannot make recipe grpo: unknown option "gate.dualClip".\nOnly kind "dualClip" has it.',
    );
  });

  it("refuses values out of range", () => {
    refuses(
      { gate: { clipLow: 1.5 } },
      "Cannot make recipe grpo: gate.clipLow must be above 0 and below 1, got 1.5.",
    );
    refuses(
      { gate: { clipHigh: -0.1 } },
      "Cannot make recipe grpo: gate.clipHigh must be above 0, got -0.1.",
    );
    refuses({ gate: { clipHigh: NaN } }, "Cannot make recipe grpo: gate.clipHigh must be above 0, got NaN.");
    refuses(
      { update: { epochs: 1.5 } },
      "Cannot make recipe grpo: update.epochs must be an integer of at least 1, got 1.5.",
    );
    assert.throws(() => recipe("grpo", { gate: { clipHigh: "0.2" as never } }), {
      name: "TypeError",
      message: 'Cannot make recipe grpo: gate.clipHigh must be a number above 0, got "0.2".',
    });
    assert.throws(() => recipe("grpo", { update: 3 as never }), {
      name: "TypeError",
      message: "Cannot make recipe grpo: update must be an object, got 3.",
    });
  });

  it("refuses knobs that the row would ignore", () => {
    refuses(
      { ratio: { level: "token", pooling: "product" } },
      'Cannot make recipe grpo: unknown option "ratio.pooling".\nOnly level "turn" or ' +
        '"trajectory" has it.',
    );
    refuses(
      { order: { carry: "exact" } },
      'Cannot make recipe grpo: unknown option "order.carry".\nOnly kind "reverse" or "forward" or "random" has it.',
    );
    refuses(
      { ratio: "token" },
      "Cannot make recipe rloo: " +
        'ratio.level must be "none" with gate.kind "none", which forms no ratio, got "token".',
      "rloo",
    );
    refuses(
      { gate: "clip" },
      'Cannot make recipe rloo: ratio.level must be "token" or "turn" or "trajectory" with gate.kind "clip", ' +
        'which needs a ratio, got "none".',
      "rloo",
    );
    refuses(
      { order: { oldLogProb: "recomputed" } },
      'Cannot make recipe rloo: order.oldLogProb must be "rollout" in a rule that uses no old log-probs, ' +
        'got "recomputed".',
      "rloo",
    );
    refuses(
      { gate: "sapo", regularizer: { clippingTriggered: { kind: "gradNorm" } } },
      'Cannot make recipe grpo: regularizer.clippingTriggered.kind must be "off" with gate.kind "sapo", ' +
        'which clips nothing, got "gradNorm".',
    );
    refuses(
      { ratio: "trajectory", order: "reverse" },
      'Cannot make recipe grpo: ratio.level must be "token" or "turn" with order.kind "reverse", ' +
        'which updates turns one by one, got "trajectory".',
    );
    refuses(
      { advantage: "return" },
      'Cannot make recipe grpo: scale.kind must be "none" or "batch" or "tokens" with advantage.kind "return", ' +
        'which has no groups, got "group".',
    );
  });
});

describe("recipeSchema", () => {
  const knobs = knobsOf(recipeSchema);

  it("says in one sentence what every knob is for", () => {
    for (const { path, help } of knobs) assert.match(help, /^[A-Z].*\.$/, path);
  });

  it("gives the optimizer's knobs the ranges in which they make sense", () => {
    const update = knobs.filter(({ path }) => path.startsWith("update."));
    assert.deepEqual(
      update.map(({ path, default: initial, wanted }) => [path.slice("update.".length), initial, wanted]),
      [
        ["epochs", 1, "an integer of at least 1"],
        ["minibatches", 1, "an integer of at least 1"],
        ["optimizer", "adam", '"adam" or "sgd"'],
        ["optimizer.learningRate", 0.03, "at least 0"],
        ["optimizer.beta1", 0.9, "at least 0 and below 1"],
        ["optimizer.beta2", 0.999, "at least 0 and below 1"],
        ["optimizer.epsilon", 1e-8, "above 0"],
        ["optimizer.maxGradNorm", null, "above 0, or null"],
        ["optimizer.learningRate", 1, "at least 0"],
        ["optimizer.maxGradNorm", null, "above 0, or null"],
        ["stepScale", "none", '"none" or "effectiveSamples"'],
        ["stepScale.base", 1, "above 0 and at most 1"],
        ["stepScale.power", "root", '"root" or "linear"'],
      ],
    );
    const sliders = update.flatMap(({ slider }) => slider ?? []);
    const steps = { min: 1e-3, max: 100, log: true };
    assert.deepEqual(sliders, [{ min: 1, max: 8 }, steps, steps]);
  });

  it("has a knob for every cell of every row", () => {
    const paths = new Set(knobs.map(({ path }) => path));
    const walk = (cells: object, at: string): void => {
      for (const [name, value] of Object.entries(cells) as [string, unknown][]) {
        const path = at === "" ? name : `${at}.${name}`;
        if (typeof value === "object" && value !== null) walk(value, path);
        else if (name === "kind" || (name === "level" && at === "ratio")) assert.ok(paths.has(at), at);
        else if (path !== "name") assert.ok(paths.has(path), path);
      }
    };
    for (const row of Object.values(recipes)) walk(row, "");
  });
});
