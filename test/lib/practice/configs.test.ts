import assert from "node:assert/strict";
import { compareRecipes, custom, recipe, recipeNames, type Recipe } from "turnwise";
import {
  fromOpenRlhf,
  fromTrl,
  fromVerl,
  toOpenRlhf,
  toTrl,
  toVerl,
  type FrameworkFlags,
  type ReadConfig,
} from "turnwise-practice";
import { deviations } from "../../conformance/compare.js";
import { comparisons, estimates, pieces, type Comparison } from "../../conformance/comparisons.js";
import { fixture } from "../../conformance/fixture.js";
import { openRlhfCases, trlCases, verlCases, withoutFlags } from "../../conformance/flags.js";
import { verlWhitening, openRlhfWhitening } from "../../conformance/forms.js";
import { partsOf, same } from "../../conformance/table.js";

const frameworks = {
  TRL: { to: toTrl, from: fromTrl, cases: trlCases },
  verl: { to: toVerl, from: fromVerl, cases: verlCases },
  OpenRLHF: { to: toOpenRlhf, from: fromOpenRlhf, cases: openRlhfCases },
} as const;

const fieldsOf = ({ name: _, update, ...fields }: Recipe): object => ({
  ...fields,
  update: { epochs: update.epochs, minibatches: update.minibatches },
});

/** The fields in which rules differ in kind: numbers and what a group of one gets are no matter of the loss that flags select. */
const apart = (one: Recipe, other: Recipe): string[] =>
  compareRecipes(one, other)
    .differences.filter(({ field }) => !field.startsWith("update.") && field !== "advantage.allowSingleton")
    .filter(({ values }) => values.some((text) => Number.isNaN(Number(text))))
    .map(({ field }) => field);

const all = [...comparisons, ...pieces, ...estimates];

/** The comparison of a case, with the row that its flags mean instead of ours. */
function compared(name: string, read: ReadConfig): Comparison[] {
  return all
    .filter((one) => one.case === name)
    .map((one) => {
      const { name: row, update: _, ...fields } = read.recipe;
      const whitens = [verlWhitening, openRlhfWhitening].some((form) => form.scaled === one.form?.scaled);
      // A form that whitens takes the place of the scale, whose epsilon stands elsewhere in the code.
      return {
        ...one,
        row,
        fields: { ...fields, ...(whitens && one.form?.scaled && { scale: "none" as const }) },
      };
    });
}

describe("rows as flags of other frameworks", () => {
  for (const [title, { to, from, cases }] of Object.entries(frameworks)) {
    describe(title, () => {
      const written = new Map<string, FrameworkFlags>();
      before(() => recipeNames.forEach((name) => written.set(name, to(name))));

      it("takes every row of the table, and the flags mean the row but for what it says it cannot", () => {
        for (const [name, flags] of written) {
          const read = from(flags.flags);
          assert.deepEqual(fieldsOf(read.recipe), fieldsOf(flags.computed), name);
          const told = new Set(flags.unsupported.map(({ field }) => field.split(".")[0]!));
          const unlike = compareRecipes(recipe(flags.rule.name), flags.computed).differences;
          const silent = unlike.filter(({ field }) => !told.has(field.split(".")[0]!));
          assert.deepEqual(silent, [], `${name} leaves a field unsaid`);
          assert.deepEqual(read.unused, [], `${name} writes a flag that nobody reads`);
          assert.equal(read.groupSize, 8);
        }
      });

      it("gives back the row, name and all, wherever nothing is said to be missing", () => {
        const whole = [...written.values()].filter(({ unsupported }) => unsupported.length === 0);
        assert.ok(whole.length >= 2, String(whole.length));
        for (const { rule: row, flags } of whole) {
          const read = from(JSON.stringify(flags));
          assert.deepEqual(fieldsOf(read.recipe), fieldsOf(row), row.name);
          assert.equal(read.recipe.name, row.name);
          assert.deepEqual(read.differences, []);
        }
      });

      it("gives back a row that was made from what it can say, whatever the row was", () => {
        for (const { computed: does } of written.values()) {
          const again = to(does);
          assert.deepEqual(fieldsOf(again.computed), fieldsOf(does), does.name);
        }
      });

      it("selects, for each row that it says whole, a loss of the release that was run", () => {
        const reads = Object.entries(cases).map(([name, flags]) => [name, from(flags).recipe] as const);
        const whole = [...written.values()].filter(({ unsupported }) => unsupported.length === 0);
        for (const { rule: row } of whole) {
          // A plain clip is verl's dual one at a bound that no ratio meets.
          const means = reads.filter(([, read]) =>
            apart(read, row).every((field) => title === "verl" && /^gate(\.dualClip)?$/.test(field)),
          );
          assert.ok(means.length > 0, `no case has the kinds of ${row.name}`);
        }
      });

      for (const [name, flags] of Object.entries(cases)) {
        it(`reads the flags of "${name}" as a row that computes what the release does`, () => {
          const read = from(flags);
          assert.deepEqual(read.unused, []);
          assert.deepEqual(read.without, []);
          const found = compared(name, read);
          assert.ok(found.length > 0, "it is compared nowhere");
          for (const one of found) {
            for (const [batch, deviation] of deviations(one, "stated")) {
              if (deviation instanceof Error) throw deviation;
              for (const part of partsOf(one, deviation)) {
                const off = deviation[part]!;
                assert.ok(off < (one.within ?? same), `${part} on ${batch}: ${off}`);
              }
            }
          }
        });
      }
    });
  }

  it("leave no case of these frameworks out", () => {
    const told = new Set([
      ...Object.values(frameworks).flatMap(({ cases }) => Object.keys(cases)),
      ...Object.keys(withoutFlags),
    ]);
    const names = Object.keys(fixture.cases).filter((name) => /^(TRL|verl|OpenRLHF): /.test(name));
    assert.deepEqual(
      names.filter((name) => !told.has(name)),
      [],
    );
    assert.deepEqual(
      [...told].filter((name) => !names.includes(name)),
      [],
    );
  });

  it("a dual clip at 1e9 is a plain clip on every ratio up to e^20, which is where log-ratios end in verl", () => {
    // e^20 = 4.85e8 < 1e9.
    assert.ok(Math.exp(20) < 1e9);
    assert.equal(toVerl("grpo").flags["actor_rollout_ref.actor.clip_ratio_c"], 1e9);
    assert.equal(toVerl("verlGrpo").flags["actor_rollout_ref.actor.clip_ratio_c"], 3);
  });

  it("TRL's mask of stale sequences gets its own threshold, not that of the clip", () => {
    const row = recipe("offPolicyMask", {
      gate: { kind: "offPolicyMask", clipLow: 0.1, clipHigh: 0.3, delta: 0.7 },
    });
    const { flags } = toTrl(row);
    assert.deepEqual([flags.epsilon, flags.epsilon_high, flags.off_policy_mask_threshold], [0.1, 0.3, 0.7]);
    assert.deepEqual(fromTrl(flags).recipe.gate, row.gate);
  });

  it("name what a framework cannot say, what it does, and what says it elsewhere", () => {
    const { unsupported } = toTrl("dapo");
    assert.deepEqual(
      unsupported.map(({ field, expected, actual }) => [field, expected, actual]),
      [
        ["reward.overlong", '{"maxLength":20480,"buffer":4096}', "off"],
        ["filter", "zeroVariance", "none"],
        ["scale.epsilon", "0.000001", "0.0001"],
      ],
    );
    assert.match(unsupported[0]!.why!, /get_soft_overlong_punishment/);
    const own = recipe("grpo", {
      gate: custom("mine", { objective: ({ ratio, advantage }) => ratio * advantage }),
    });
    assert.deepEqual(
      toVerl(own).unsupported.find(({ field }) => field === "gate"),
      { field: "gate", expected: "mine", actual: "clip" },
    );
  });

  it("take RLOOConfig where that says more of a row than GRPOConfig", () => {
    assert.match(toTrl("rloo").text, /^RLOOConfig\(\n {4}epsilon=1,/);
    assert.match(toTrl("loop").text, /^GRPOConfig\(\n {4}loss_type="dapo",/);
    assert.ok(toTrl("rloo").unsupported.every(({ why = "" }) => why.includes("the same gradient")));
  });

  it("give the group size that was asked for", () => {
    const flags = toOpenRlhf("loop", { groupSize: 4 });
    assert.equal(flags.flags["rollout.n_samples_per_prompt"], 4);
    // 16 prompts x 2 minibatches, 16 x 4 trajectories a step.
    assert.deepEqual([flags.flags["rollout.batch_size"], flags.flags["train.batch_size"]], [32, 64]);
    assert.equal(fromOpenRlhf(flags.flags).recipe.update.minibatches, 2);
    assert.throws(() => toTrl("grpo", { groupSize: 1 }), {
      name: "RangeError",
      message: "Cannot write flags of TRL: groupSize must be an integer >= 2, got 1.",
    });
  });

  it("tell defaults for what they are: an empty GRPOConfig is GRPO with the mean over tokens", () => {
    const read = fromTrl({});
    assert.equal(read.recipe.name, "grpo");
    assert.equal(read.recipe.aggregate.kind, "tokenMean");
    assert.deepEqual(
      read.differences.map(({ field }) => field).filter((field) => !field.startsWith("update.")),
      ["scale.epsilon", "aggregate"],
    );
  });

  it("name flags that say nothing of the rule, and those that no field expresses", () => {
    const read = fromTrl({ output_dir: "out", mask_truncated_completions: true, learning_rate: 1e-5 });
    assert.deepEqual(read.unused, ["output_dir"]);
    assert.deepEqual(
      read.without.map(({ flag }) => flag),
      ["mask_truncated_completions"],
    );
    assert.equal(read.recipe.update.optimizer.learningRate, 1e-5);
    // epsilon_high is CISPO's bound itself: .2 would weigh every token by at most .2.
    assert.deepEqual(
      fromTrl({ loss_type: "cispo" }).without.map(({ flag }) => flag),
      ["epsilon_high"],
    );
  });

  it("refuse a word that the framework does not know, another type, and what is no configuration", () => {
    assert.throws(() => fromTrl({ loss_type: "dr-grpo" }), {
      name: "RangeError",
      message:
        'Cannot read a configuration of TRL: loss_type must be one of grpo, bnpo, dr_grpo, dapo, luspo, cispo, sapo, vespo, got "dr-grpo".\nDid you mean "dr_grpo"?',
    });
    assert.throws(() => fromVerl({ "actor_rollout_ref.actor.clip_ratio_low": "wide" }), {
      name: "TypeError",
      message:
        'Cannot read a configuration of verl: actor_rollout_ref.actor.clip_ratio_low must be a number, got "wide".',
    });
    assert.throws(() => fromOpenRlhf("--actor.dual_clip 3"), {
      name: "TypeError",
      message: /^Cannot read a configuration of OpenRLHF: its text must be JSON: /,
    });
    assert.throws(() => toTrl("gpro" as never), { name: "RangeError", message: /Did you mean "grpo"\?/ });
  });

  it("read a configuration as verl prints it, nested", () => {
    const nested = {
      algorithm: { adv_estimator: "rloo" },
      actor_rollout_ref: { actor: { clip_ratio_c: 1e9 } },
    };
    assert.equal(fromVerl(JSON.stringify(nested)).recipe.name, "loop");
  });
});
