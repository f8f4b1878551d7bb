// Uses internals of turnwise/rule.
import assert from "node:assert/strict";
import { advantages, recipe, recipeNames } from "turnwise";
import { citations, filterGroups } from "turnwise/internal/rule/index";
import { deviations } from "../conformance/compare.js";
import { comparisons, estimates, pieces, unreleased } from "../conformance/comparisons.js";
import { fixture, grownTree, sampled, setting, stored, type Result } from "../conformance/fixture.js";
import { filters } from "../conformance/newer.js";
import { firstCoefficient, nextCoefficient } from "turnwise/internal/rule/regularizer/entropyTarget";
import { observationCharge } from "turnwise/internal/rule/regularizer/observation";
import { partsOf, same } from "../conformance/table.js";

/** Every `path:line` in what is said of the rows. */
const lineCitations = recipeNames.flatMap((name) => {
  const { source, deviations, shown } = citations[name];
  return [source, ...deviations, ...shown].flatMap((text) => text.match(/[\w./-]+\.(py|yaml|sh):\d+/g) ?? []);
});

describe("the rows against released code", () => {
  it("are each compared with some, or said to have none", () => {
    const compared = new Set<string>([...comparisons, ...filters].map(({ row }) => row));
    const both = recipeNames.filter((name) => compared.has(name) && name in unreleased);
    const neither = recipeNames.filter((name) => !compared.has(name) && !(name in unreleased));
    assert.deepEqual([both, neither], [[], []]);
  });

  it("leave nothing out that was run", () => {
    const used = new Set<string>(
      [...comparisons, ...pieces, ...estimates, ...filters].map((one) => one.case),
    );
    assert.deepEqual(
      Object.keys(fixture.cases).filter((name) => !used.has(name)),
      [],
    );
  });

  it("name a line of a release for each difference that stands in one", () => {
    const cited = [...comparisons, ...pieces, ...estimates].flatMap((one) => one.differences ?? []);
    const unknown = cited.filter(({ at }) => at !== undefined && !(at in fixture.lines));
    assert.deepEqual(unknown, []);
    const idle = Object.entries(fixture.lines).filter(
      ([name, line]) =>
        !cited.some(({ at }) => at === name) && !lineCitations.some((one) => line.endsWith(one)),
    );
    assert.deepEqual(idle, []);
  });

  it("are cited in the rows with lines that were looked up in the releases, and no others", () => {
    const found = Object.values(fixture.lines);
    const unknown = lineCitations.filter(
      (one) => !found.some((line) => line === one || line.endsWith(`/${one}`)),
    );
    assert.ok(lineCitations.length > 30, String(lineCitations.length));
    assert.deepEqual(unknown, []);
  });

  for (const one of [...comparisons, ...pieces, ...estimates]) {
    const how =
      one.fields === undefined && one.form === undefined ? "as it stands" : "with its differences stated";
    const what = one.parts === undefined ? "" : `, ${one.parts.join(" and ")}`;
    it(`${one.row} ${how} is ${one.case}${what}`, () => {
      for (const [batch, deviation] of deviations(one, "stated")) {
        if (deviation instanceof Error) throw deviation;
        for (const part of partsOf(one, deviation)) {
          assert.ok(
            deviation[part]! < (one.within ?? same),
            `${part} on ${batch}: ${String(deviation[part])}`,
          );
        }
      }
    });
  }

  it("are told apart by every difference: without it, the row and the release are not the same", () => {
    const idle = [...comparisons, ...pieces].filter((one) => {
      if (one.fields === undefined && one.form === undefined) return false;
      return [...deviations(one, "it stands").values()].every(
        (found) => !(found instanceof Error) && partsOf(one, found).every((part) => found[part]! < same),
      );
    });
    assert.deepEqual(
      idle.map((one) => one.case),
      [],
    );
  });

  it("say so where they refuse what a release computes: a group of one", () => {
    const grpo = comparisons.find((one) => one.case === "verl: GRPO")!;
    const refused = deviations(grpo, "it stands").get("odd");
    assert.ok(refused instanceof RangeError);
    assert.match(refused.message, /every group must have at least 2 members, but group c has 1\.$/);
  });

  it("steer the weight of an entropy bonus as Skywork-OR1 does, update by update", () => {
    const { settings, entropies, states } = fixture.steered;
    let state = firstCoefficient(0);
    for (const [k, entropy] of entropies.entries()) {
      state = nextCoefficient(settings, state, entropy);
      assert.equal(state.paid, states[k]!.paid, `paid after update ${k + 1}`);
      assert.ok(Math.abs(state.coef - states[k]!.coef) < same, `after update ${k + 1}`);
    }
  });

  it("charge for what the environment answers as prime-rl does, each term over its own tokens", () => {
    const { logProb, mask, advantage, coef, loss, gradient } = fixture.answered;
    const own = mask.filter((m) => m === 1).length;
    const charge = observationCharge(
      coef,
      mask.map((m) => 1 - m),
      logProb,
    )!;
    // At ratio 1, a token of the policy gains its advantage: -A / M is its slope, and minus the mean of A the loss.
    const gained = advantage.reduce((sum, A, i) => sum + mask[i]! * A, 0) / own;
    assert.ok(Math.abs(charge.loss - gained - loss) < same, `${charge.loss - gained} is not ${loss}`);
    gradient.forEach((slope, i) => {
      const found = charge.dLogProb_ntl[i]! - (mask[i]! * advantage[i]!) / own;
      assert.ok(Math.abs(found - slope) < same, `token ${i}: ${found} is not ${slope}`);
    });
  });

  for (const [weighting, expected] of [
    ["surprise", fixture.grown.surpriseWeighed],
    ["evenly", fixture.grown.evenlyWeighed],
  ] as const) {
    it(`value the turns of a tree as ATPO does, weighed ${weighting}`, () => {
      const { batch, values } = grownTree();
      const row = recipe("at2po", { advantage: { weighting } });
      const { advantage_ntl } = advantages(batch, row);
      const [, T] = batch.shape;
      for (const { n, t } of values) {
        const [found, wanted] = [advantage_ntl[n * T + t]!, expected[n]![t]!];
        assert.ok(Math.abs(found - wanted) < same, `trajectory ${n}, turn ${t}: ${found} is not ${wanted}`);
      }
    });
  }

  for (const one of filters) {
    it(`${one.row} keeps the groups that a release keeps, ${one.case}`, () => {
      for (const result of stored(one.case).results as Result[]) {
        const { batch } = setting(result.batch, "old");
        const { keep_n } = filterGroups(batch, recipe(one.row, one.fields));
        const perRow = batch.shape[1] * batch.shape[2];
        const kept = sampled(batch).map((i) => Number(keep_n[Math.floor(i / perRow)]));
        assert.deepEqual(kept, result.advantage, result.batch);
        assert.ok(kept.includes(0) && kept.includes(1), result.batch);
      }
    });
  }
});
