import assert from "node:assert/strict";
import { custom, recipe, train, type Recipe, type RecipeOverrides } from "turnwise";
import { exactRuleOf } from "turnwise/exact";
import { batch, N, T, L, told, update, refused, anything } from "./refused";

describe("what a function returns is checked, and told with its cell and label", () => {
  const advantage = (value: unknown): string => refused({ advantage: custom("mine", () => anything(value)) });
  const shapes = `TypeError: Cannot apply advantage "mine": it must return numbers of shape [N] or [N, T] or [N, T, L] with N = ${N}, T = ${T}, L = ${L}, but `;

  it("an advantage of another shape", () => {
    assert.equal(advantage([1, 2, 3]), `${shapes}it returned 3 numbers.`);
    assert.equal(advantage([[1, 2]]), `${shapes}it returned 1 rows.`);
    assert.equal(advantage([[1, 2, 3], [1]]), `${shapes}row 0 has 3 entries.`);
    assert.equal(advantage([[1], 2]), `${shapes}row 1 is 2.`);
    assert.equal(
      advantage([[[1, 2, 3, 4, 5, 6, 7, 8, 9]], [[1], [2]]]),
      `${shapes}turn 0 of row 0 is 9 numbers.`,
    );
  });

  it("an advantage that is no list of numbers", () => {
    assert.equal(advantage(undefined), `${shapes}it returned undefined.`);
    assert.equal(advantage(1), `${shapes}it returned 1.`);
    assert.equal(advantage("1 2"), `${shapes}it returned "1 2".`);
    assert.equal(advantage({ advantage: 1 }), `${shapes}it returned an object with advantage.`);
    assert.equal(
      advantage(() => 1),
      `${shapes}it returned a function.`,
    );
    assert.equal(advantage(Promise.resolve([1, 2])), `${shapes}it returned a promise: it must not be async.`);
    assert.equal(advantage([1, "2"]), `${shapes}entry 1 is "2".`);
    assert.equal(advantage([1, 2n]), `${shapes}entry 1 is bigint.`);
  });

  it("an advantage that is not finite where it counts, and only there", () => {
    const finite = 'RangeError: Cannot apply advantage "mine": it must return finite numbers, but ';
    assert.equal(advantage([1, NaN]), `${finite}trajectory 1 is NaN.`);
    assert.equal(advantage([[1], [1, Infinity]]), `${finite}turn 1 of trajectory 1 is Infinity.`);
    const tokens = Array.from(batch.mask_ntl, (flag) => (flag === 1 ? 1 : NaN));
    update({ advantage: custom("padded", () => tokens) });
    tokens[0] = -Infinity;
    assert.equal(advantage(tokens), `${finite}token 0 of turn 0 of trajectory 0 is -Infinity.`);
  });

  it("a scale of another length, or not finite", () => {
    const scale = (value: unknown): string => refused({ scale: custom("mine", () => anything(value)) });
    assert.equal(
      scale([1]),
      'TypeError: Cannot apply scale "mine": it must return a number for each of the 2 advantages, but it returned a list of 1.',
    );
    assert.equal(
      scale([1, NaN]),
      'RangeError: Cannot apply scale "mine": it must return finite numbers, but entry 1 is NaN.',
    );
  });

  it("a ratio that is no number, has too few slopes, or is not finite", () => {
    const ratio = (value: unknown): string => refused({ ratio: custom("mine", () => anything(value)) });
    const start = 'Cannot apply ratio "mine":';
    const wanted = `TypeError: ${start} it must return a number or { ratio, slope } with a slope for each of the 2 tokens, but it returned`;
    assert.equal(ratio("1"), `${wanted} "1".`);
    assert.equal(ratio({ ratio: 1, slope: [1] }), `${wanted} an object with ratio, slope.`);
    assert.match(
      ratio({ ratio: 1, slope: [NaN, 1] }),
      /^RangeError: Cannot apply ratio "mine": ratio and slopes must be finite, but they are 1 and NaN, 1 at log-ratios -0\.1/,
    );
    assert.match(
      ratio(Infinity),
      /^RangeError: Cannot apply ratio "mine": ratio and slopes must be finite, but they are Infinity and NaN, NaN at log-ratios -0\.1/,
    );
  });

  it("a gate without an objective, or with one that is not finite", () => {
    const gate = (f: unknown): string => refused({ gate: custom("mine", anything(f)) });
    assert.equal(
      gate({ slope: () => 1 }),
      'TypeError: Cannot apply gate "mine": it must have an objective, a function of one token, but it is an object with slope.',
    );
    assert.match(
      gate({ objective: () => NaN }),
      /^RangeError: Cannot apply gate "mine": its objective must be a finite number, but it is NaN at ratio 0\.904\d+, advantage -?[\d.]+, log-prob -[\d.]+\.$/,
    );
    assert.match(
      gate({ objective: () => 1, slope: () => undefined }),
      /^TypeError: Cannot apply gate "mine": its slope must be a finite number, but it is undefined at ratio/,
    );
  });

  it("weights that are none", () => {
    const weights = (value: unknown): string => refused({ aggregate: custom("mine", () => anything(value)) });
    const wanted =
      'TypeError: Cannot apply aggregate "mine": it must return a weight, or one for each of the turn\'s 2 sampled tokens, but it returned';
    assert.equal(weights(undefined), `${wanted} undefined.`);
    assert.equal(weights([1, 2, 3]), `${wanted} a list of 3.`);
    assert.equal(
      weights([1, 1 / 0]),
      'RangeError: Cannot apply aggregate "mine": weights must be finite, but token 1 of turn 0 of trajectory 0 gets Infinity.',
    );
  });

  it("groups that were not given", () => {
    const filter = (value: unknown): string => refused({ filter: custom("mine", () => anything(value)) });
    assert.equal(
      filter(true),
      'TypeError: Cannot apply filter "mine": it must return a list of groups, but it returned true.',
    );
    assert.equal(
      filter([true]),
      'TypeError: Cannot apply filter "mine": it must return some of the groups that it got, but entry 0 is true.',
    );
  });

  it("rewards of another shape, or not finite", () => {
    const reward = (value: unknown): string => refused({ reward: custom("mine", () => anything(value)) });
    assert.equal(
      reward([1]),
      `TypeError: Cannot apply reward.custom "mine": it must return numbers of shape [N] or [N, T] with N = ${N}, T = ${T}, L = ${L}, but it returned 1 numbers.`,
    );
    assert.equal(
      reward([0, -Infinity]),
      'RangeError: Cannot apply reward.custom "mine": it must return finite numbers, but trajectory 1 is -Infinity.',
    );
  });

  it("sets of turns that are none, or have a turn twice", () => {
    const order = (value: unknown): string => refused({ order: custom("mine", () => anything(value)) });
    const turns = Array.from({ length: T }, (_, t) => t).join(", ");
    const start = `TypeError: Cannot apply order "mine": it must return sets of the turns ${turns}, each turn at most once, but`;
    assert.equal(order(3), `${start} it returned 3.`);
    assert.equal(order([[0], "1"]), `${start} set 1 is "1".`);
    assert.equal(order([[0], [99]]), `${start} set 1 has turn 99.`);
    assert.equal(order([[0, 1], [0]]), `${start} turn 0 comes twice.`);
  });

  it("a regularizer that is no number, or not finite", () => {
    const own = (value: unknown): string => refused({ regularizer: custom("mine", () => anything(value)) });
    assert.equal(
      own({ value: 1 }),
      'TypeError: Cannot apply regularizer.custom "mine": it must return a number or { value, slope }, but it returned an object with value.',
    );
    assert.match(
      own(NaN),
      /^RangeError: Cannot apply regularizer\.custom "mine": value and slope must be finite, but they are NaN and NaN at log-prob/,
    );
  });
});

describe("rows that an own function does not fit", () => {
  const of = (overrides: RecipeOverrides, name: "grpo" | "rloo" | "gigpo" | "soPpo" | "seeUpo" = "grpo") =>
    told(() => recipe(name, overrides));
  const gate = custom("mine", { objective: () => 1 });

  it("refuse two functions with one label", () => {
    const reward = custom("mine", (batch) => batch.return_n);
    const advantage = custom("mine", (batch) => batch.reward_nt);
    assert.equal(
      of({ advantage, reward }),
      'RangeError: Cannot make recipe grpo: every custom function needs its own label, but "mine" is one function in reward.custom and another in advantage.',
    );
    const f = (batch: { readonly return_n: Float64Array }): Float64Array => batch.return_n;
    recipe("grpo", { advantage: custom("same", f), reward: custom("same", f) });
  });

  it("are not searched for options of train: a label is none", () => {
    const row = recipe("grpo", { advantage: custom("mine", (batch) => batch.return_n) });
    assert.match(
      told(() => train({ env: "LookUp-v0", recipe: row, updates: 1, label: 3 } as never)),
      /unknown option "label"/,
    );
  });

  it("refuse a gate where no ratio is formed, and what clipping brings about", () => {
    assert.equal(
      of({ gate }, "rloo"),
      'RangeError: Cannot make recipe rloo: ratio.level must be "token" or "turn" or "trajectory" with gate.kind "custom", which needs a ratio, got "none".',
    );
    assert.equal(
      of({ gate }, "soPpo"),
      'RangeError: Cannot make recipe soPpo: regularizer.clippingTriggered.kind must be "off" with gate.kind "custom", which clips nothing, got "gradNorm".',
    );
  });

  it("refuse a ratio of trajectories where turns move one by one", () => {
    const ratio = { by: custom("mine", (d) => d.length), over: "trajectory" } as const;
    assert.equal(
      of({ ratio }, "seeUpo"),
      'RangeError: Cannot make recipe seeUpo: ratio.level must be "token" or "turn" with order.kind "reverse", which updates turns one by one, got "custom".',
    );
    assert.equal(
      of({ ratio: { level: "trajectory" }, order: custom("mine", (turns) => turns) }),
      'RangeError: Cannot make recipe grpo: ratio.level must be "token" or "turn" with order.kind "custom", which updates turns one by one, got "trajectory".',
    );
  });

  it("refuse a scale on an advantage that scales itself", () => {
    assert.equal(
      of({ scale: custom("mine", (A) => A) }, "gigpo"),
      'RangeError: Cannot make recipe gigpo: scale.kind must be "none" or "group" or "mean" with advantage.kind "gigpo", which scales each of its two parts, got "custom".',
    );
  });

  it("have no exact form on trees", () => {
    const own = (row: Recipe): string => told(() => exactRuleOf(row));
    const start = "RangeError: Cannot play recipe reinforce exactly:";
    const end = 'must have an exact form on trees, got an own function, "mine".';
    const rows: readonly [string, RecipeOverrides][] = [
      ["advantage", { advantage: custom("mine", (batch) => batch.return_n) }],
      ["scale", { scale: custom("mine", (A) => A) }],
      ["aggregate", { aggregate: custom("mine", () => 1) }],
      ["filter", { filter: custom("mine", (groups) => groups) }],
      ["reward.custom", { reward: custom("mine", (batch) => batch.return_n) }],
      ["order", { order: custom("mine", (turns) => turns) }],
      ["regularizer.custom", { regularizer: custom("mine", () => 0) }],
    ];
    for (const [cell, overrides] of rows) {
      assert.equal(own(recipe("reinforce", overrides)), `${start} ${cell} ${end}`);
    }
  });
});

describe("a run whose function fails", () => {
  it("ends with the function's own sentence, and keeps the state before that update", async () => {
    let broken = false;
    const row = recipe("grpo", {
      aggregate: custom("late", ({ trajectories, tokensOfTrajectory }) =>
        broken ? NaN : 1 / (trajectories * tokensOfTrajectory),
      ),
    });
    const run = train({ env: "LookUp-v0", recipe: row, updates: 5, seed: 1 });
    await run.next();
    const { policy } = run.checkpoint();
    broken = true;
    await assert.rejects(
      run.next(),
      /^RangeError: Cannot apply aggregate "late": weights must be finite, but token 0/,
    );
    assert.equal(run.stopReason, "failed");
    assert.deepEqual(run.checkpoint().policy, policy);
  });
});
