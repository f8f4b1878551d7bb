import assert from "node:assert/strict";
import {
  advantages,
  custom,
  make,
  recipe,
  scriptedBatch,
  surrogateGradient,
  train,
  type Recipe,
  type RecipeOverrides,
} from "turnwise";
import { filterGroups, turnSchedule } from "turnwise/dist/rule";
import { exactRuleOf } from "turnwise/exact";

import { createRng } from "turnwise/dist/base/rng";

/** Two trajectories of one group: the first of one turn, the second of two; three tokens a turn at most. */
const batch = scriptedBatch(make("LookUp-v0"), [
  [["ANSWER", "0"]],
  [
    ["LOOKUP", "0"],
    ["ANSWER", "3"],
  ],
]);
const [N, T, L] = batch.shape;

const refusal = (f: () => unknown): Error => {
  try {
    f();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was refused");
};
const told = (f: () => unknown): string => {
  const { name, message } = refusal(f);
  return `${name}: ${message}`;
};

/** What a row says of the batch: advantages, then loss and gradient. */
function update(overrides: RecipeOverrides, name: "grpo" | "ppo" = "grpo"): unknown {
  const row = recipe(name, overrides);
  filterGroups(batch, row);
  turnSchedule(row, T, createRng(1));
  const { advantage_ntl } = advantages(batch, row, new Float64Array(N * T));
  const { shape, mask_ntl, oldLogProb_ntl } = batch;
  return surrogateGradient(
    { shape, mask_ntl, oldLogProb_ntl, logProb_ntl: oldLogProb_ntl.map((x) => x - 0.1), advantage_ntl },
    row,
  );
}
const refused = (overrides: RecipeOverrides, name?: "grpo" | "ppo"): string =>
  told(() => update(overrides, name));

const anything = (value: unknown): never => value as never;

describe("what a function returns is checked, and told with its cell and label", () => {
  const advantage = (value: unknown): string => refused({ advantage: custom("mine", () => anything(value)) });
  const shapes = `TypeError: Cannot apply advantage "mine" as it must return numbers of shape [N] or [N, T] or [N, T, L] with N = ${N}, T = ${T}, L = ${L}: `;

  it("an advantage of another shape", () => {
    assert.equal(advantage([1, 2, 3]), `${shapes}it returned 3 numbers`);
    assert.equal(advantage([[1, 2]]), `${shapes}it returned 1 rows`);
    assert.equal(advantage([[1, 2, 3], [1]]), `${shapes}row 0 has 3 entries`);
    assert.equal(advantage([[1], 2]), `${shapes}row 1 is 2`);
    assert.equal(
      advantage([[[1, 2, 3, 4, 5, 6, 7, 8, 9]], [[1], [2]]]),
      `${shapes}turn 0 of row 0 is 9 numbers`,
    );
  });

  it("an advantage that is no list of numbers", () => {
    assert.equal(advantage(undefined), `${shapes}it returned undefined`);
    assert.equal(advantage(1), `${shapes}it returned 1`);
    assert.equal(advantage("1 2"), `${shapes}it returned "1 2"`);
    assert.equal(advantage({ advantage: 1 }), `${shapes}it returned an object with advantage`);
    assert.equal(
      advantage(() => 1),
      `${shapes}it returned a function`,
    );
    assert.equal(advantage(Promise.resolve([1, 2])), `${shapes}it returned a promise: it must not be async`);
    assert.equal(advantage([1, "2"]), `${shapes}entry 1 is "2"`);
    assert.equal(advantage([1, 2n]), `${shapes}entry 1 is bigint`);
  });

  it("an advantage that is not finite where it counts, and only there", () => {
    const finite = 'RangeError: Cannot apply advantage "mine" as it must return finite numbers: ';
    assert.equal(advantage([1, NaN]), `${finite}trajectory 1 is NaN`);
    assert.equal(advantage([[1], [1, Infinity]]), `${finite}turn 1 of trajectory 1 is Infinity`);
    const tokens = Array.from(batch.mask_ntl, (flag) => (flag === 1 ? 1 : NaN));
    update({ advantage: custom("padded", () => tokens) });
    tokens[0] = -Infinity;
    assert.equal(advantage(tokens), `${finite}token 0 of turn 0 of trajectory 0 is -Infinity`);
  });

  it("a scale of another length, or not finite", () => {
    const scale = (value: unknown): string => refused({ scale: custom("mine", () => anything(value)) });
    assert.equal(
      scale([1]),
      'TypeError: Cannot apply scale "mine" as it must return a number for each of the 2 advantages: it returned a list of 1',
    );
    assert.equal(
      scale([1, NaN]),
      'RangeError: Cannot apply scale "mine" as it must return finite numbers: entry 1 is NaN',
    );
  });

  it("a ratio that is no number, has too few slopes, or is not finite", () => {
    const ratio = (value: unknown): string => refused({ ratio: custom("mine", () => anything(value)) });
    const start = 'Cannot apply ratio "mine" as';
    const wanted = `TypeError: ${start} it must return a number or { ratio, slope } with a slope for each of the 2 tokens: it returned`;
    assert.equal(ratio("1"), `${wanted} "1"`);
    assert.equal(ratio({ ratio: 1, slope: [1] }), `${wanted} an object with ratio, slope`);
    assert.match(
      ratio({ ratio: 1, slope: [NaN, 1] }),
      /^RangeError: Cannot apply ratio "mine" as ratio and slopes must be finite: they are 1 and NaN, 1 at log-ratios -0\.1/,
    );
    assert.match(
      ratio(Infinity),
      /^RangeError: Cannot apply ratio "mine" as ratio and slopes must be finite: they are Infinity and NaN, NaN at log-ratios -0\.1/,
    );
  });

  it("a gate without an objective, or with one that is not finite", () => {
    const gate = (f: unknown): string => refused({ gate: custom("mine", anything(f)) });
    assert.equal(
      gate({ slope: () => 1 }),
      'TypeError: Cannot apply gate "mine" as it must have an objective, a function of one token: it is an object with slope',
    );
    assert.match(
      gate({ objective: () => NaN }),
      /^RangeError: Cannot apply gate "mine" as its objective must be a finite number: it is NaN at ratio 0\.904\d+, advantage -?[\d.]+, log-prob -[\d.]+$/,
    );
    assert.match(
      gate({ objective: () => 1, slope: () => undefined }),
      /^TypeError: Cannot apply gate "mine" as its slope must be a finite number: it is undefined at ratio/,
    );
  });

  it("weights that are none", () => {
    const weights = (value: unknown): string => refused({ aggregate: custom("mine", () => anything(value)) });
    const wanted =
      'TypeError: Cannot apply aggregate "mine" as it must return a weight, or one for each of the turn\'s 2 sampled tokens: it returned';
    assert.equal(weights(undefined), `${wanted} undefined`);
    assert.equal(weights([1, 2, 3]), `${wanted} a list of 3`);
    assert.equal(
      weights([1, 1 / 0]),
      'RangeError: Cannot apply aggregate "mine" as weights must be finite: token 1 of turn 0 of trajectory 0 gets Infinity',
    );
  });

  it("groups that were not given", () => {
    const filter = (value: unknown): string => refused({ filter: custom("mine", () => anything(value)) });
    assert.equal(
      filter(true),
      'TypeError: Cannot apply filter "mine" as it must return a list of groups: it returned true',
    );
    assert.equal(
      filter([true]),
      'TypeError: Cannot apply filter "mine" as it must return some of the groups that it got: entry 0 is true',
    );
  });

  it("rewards of another shape, or not finite", () => {
    const reward = (value: unknown): string => refused({ reward: custom("mine", () => anything(value)) });
    assert.equal(
      reward([1]),
      `TypeError: Cannot apply reward.own "mine" as it must return numbers of shape [N] or [N, T] with N = ${N}, T = ${T}, L = ${L}: it returned 1 numbers`,
    );
    assert.equal(
      reward([0, -Infinity]),
      'RangeError: Cannot apply reward.own "mine" as it must return finite numbers: trajectory 1 is -Infinity',
    );
  });

  it("sets of turns that are none, or have a turn twice", () => {
    const order = (value: unknown): string => refused({ order: custom("mine", () => anything(value)) });
    const turns = Array.from({ length: T }, (_, t) => t).join(", ");
    const start = `TypeError: Cannot apply order "mine" as it must return sets of the turns ${turns}, each turn at most once:`;
    assert.equal(order(3), `${start} it returned 3`);
    assert.equal(order([[0], "1"]), `${start} set 1 is "1"`);
    assert.equal(order([[0], [99]]), `${start} set 1 has turn 99`);
    assert.equal(order([[0, 1], [0]]), `${start} turn 0 comes twice`);
  });

  it("a regulariser that is no number, or not finite", () => {
    const own = (value: unknown): string => refused({ regulariser: custom("mine", () => anything(value)) });
    assert.equal(
      own({ value: 1 }),
      'TypeError: Cannot apply regulariser.own "mine" as it must return a number or { value, slope }: it returned an object with value',
    );
    assert.match(
      own(NaN),
      /^RangeError: Cannot apply regulariser\.own "mine" as value and slope must be finite: they are NaN and NaN at log-prob/,
    );
  });
});

describe("what a function does is watched", () => {
  it("what it throws is told with its cell and label, and kept as the cause", () => {
    const cause = new RangeError("no such key");
    const thrower = (): never => {
      throw cause;
    };
    const cells: readonly [string, RecipeOverrides][] = [
      ["advantage", { advantage: custom("mine", thrower) }],
      ["scale", { scale: custom("mine", thrower) }],
      ["ratio", { ratio: custom("mine", thrower) }],
      ["gate", { gate: custom("mine", { objective: thrower }) }],
      ["aggregate", { aggregate: custom("mine", thrower) }],
      ["filter", { filter: custom("mine", thrower) }],
      ["reward.own", { reward: custom("mine", thrower) }],
      ["order", { order: custom("mine", thrower) }],
      ["regulariser.own", { regulariser: custom("mine", thrower) }],
    ];
    for (const [cell, overrides] of cells) {
      const error = refusal(() => update(overrides));
      assert.equal(
        error.message,
        `Cannot apply ${cell} "mine" as it must not throw: it threw RangeError: no such key`,
      );
      assert.equal(error.cause, cause);
    }
  });

  it("an interrupt of the cell goes through as it is, also while masked cells are planted", () => {
    const interrupt = Object.assign(new Error("Interrupted"), { name: "KernelInterrupt" });
    for (const after of [0, 1, 2]) {
      let calls = 0;
      const advantage = custom.advantage("slow", (seen) => {
        if (calls++ === after) throw interrupt;
        return seen.return_n;
      });
      assert.equal(
        refusal(() => update({ advantage })),
        interrupt,
      );
    }
    const gate = custom.gate("slow", (): never => {
      throw interrupt;
    });
    assert.equal(
      refusal(() => update({ gate })),
      interrupt,
    );
    const loss = custom.loss("slow", (): never => {
      throw interrupt;
    });
    assert.equal(
      refusal(() => update({ loss })),
      interrupt,
    );
  });

  it("an advantage or reward that reads masked cells", () => {
    const start = (cell: string): string =>
      `RangeError: Cannot apply ${cell} as it must not depend on masked cells: with other contents there, entry`;
    const end = "read cells where mask_ntl is 1, and turns below turnCount_n";
    // The old log-probs of padding are 0 in this batch, and any number in another.
    const careless = ({ shape: [n], oldLogProb_ntl }: typeof batch): number[] =>
      Array.from({ length: n }, (_, i) =>
        oldLogProb_ntl.subarray(i * T * L, (i + 1) * T * L).reduce((a, b) => a + b, 0),
      );
    const advantage = refused({ advantage: custom("careless", careless) });
    assert.ok(advantage.startsWith(start('advantage "careless"')) && advantage.endsWith(end), advantage);
    const reward = refused({ reward: custom("careless", careless) });
    assert.ok(reward.startsWith(start('reward.own "careless"')) && reward.endsWith(end), reward);
    const later = refused({
      advantage: custom("later", ({ reward_nt }) =>
        Array.from(reward_nt.keys(), (nt) => reward_nt[(nt + 1) % (N * T)]!),
      ),
    });
    assert.ok(later.startsWith(start('advantage "later"')), later);
    const tokens = refused({
      advantage: custom("tokens", ({ token_ntl }) =>
        batch.return_n.map(
          (_, n) => token_ntl.subarray(n * T * L, (n + 1) * T * L).filter((x) => x === 1).length,
        ),
      ),
    });
    assert.ok(tokens.startsWith(start('advantage "tokens"')), tokens);
  });

  it("a function that gives other numbers for the same batch", () => {
    let calls = 0;
    assert.equal(
      refused({ advantage: custom("counting", ({ return_n }) => return_n.map(() => calls++)) }),
      'RangeError: Cannot apply advantage "counting" as it must depend on its arguments alone, so that a run can be repeated: called twice with the same batch, its numbers differ at entry 0',
    );
  });

  describe("a function that answers the same question in two ways, in every other cell", () => {
    let calls = 0;
    beforeEach(() => {
      calls = 0;
    });
    const start =
      "as it must depend on its arguments alone, so that a run can be repeated: called twice with the same, it returned";
    const cases: Readonly<Record<string, { overrides: RecipeOverrides; returned: string }>> = {
      scale: {
        overrides: { scale: custom("odd", (A) => A.map(() => calls++)) },
        returned: "a list of 2, then a list of 2",
      },
      ratio: { overrides: { ratio: custom("odd", () => 1 + calls++) }, returned: "1, then 2" },
      "ratio with slopes": {
        overrides: { ratio: custom("odd", (d) => ({ ratio: 1, slope: d.map(() => calls++) })) },
        returned: "an object with ratio, slope, then an object with ratio, slope",
      },
      gate: {
        overrides: {
          gate: custom("odd", { objective: () => calls++ }),
        },
        returned: "0, then 1",
      },
      "gate by its slope": {
        overrides: { gate: custom("odd", { objective: () => 1, slope: () => calls++ }) },
        returned: "0, then 1",
      },
      aggregate: { overrides: { aggregate: custom("odd", () => calls++) }, returned: "0, then 1" },
      filter: {
        overrides: { filter: custom("odd", (groups) => (calls++ % 2 === 0 ? groups : [])) },
        returned: "a list of 1, then a list of 0",
      },
      order: {
        overrides: { order: custom("odd", (turns) => (calls++ % 2 === 0 ? turns : [...turns].reverse())) },
        returned: `a list of ${T}, then a list of ${T}`,
      },
      "regulariser.own": {
        overrides: { regulariser: { own: custom("odd", () => calls++) } },
        returned: "0, then 1",
      },
    };
    for (const [cell, { overrides, returned }] of Object.entries(cases)) {
      it(cell, () => {
        assert.equal(
          refused(overrides),
          `RangeError: Cannot apply ${cell.split(" ")[0]} "odd" ${start} ${returned}`,
        );
      });
    }

    it("but for an order that draws from the generator which it gets: each update has the draws of one call", () => {
      const drawn = (rng: ReturnType<typeof createRng>): number[][] => {
        const row = recipe("grpo", { order: custom("drawn", (turns, own) => own.shuffle(turns)) });
        return turnSchedule(row, 6, rng).map((set) => [...set]);
      };
      const expected = createRng(4)
        .shuffle([0, 1, 2, 3, 4, 5])
        .map((t) => [t]);
      assert.deepEqual(drawn(createRng(4)), expected);
    });
  });

  it("a function that changes what it was given changes it for nobody else", () => {
    const before = Array.from(batch.return_n);
    update({
      advantage: custom("sorter", ({ return_n }) => return_n.map((x) => x).fill(return_n.sort()[0]!)),
    });
    assert.deepEqual(Array.from(batch.return_n), before);
  });

  it("values without a critic, and a reference without one, with the line to write", () => {
    assert.equal(
      refused({ advantage: custom("td", (_, { value_nt }) => value_nt) }),
      'Error: Cannot apply advantage "td" as it must not throw: it threw TypeError: value_nt must come from a critic: write advantage: { by: custom("td", f), critic: true }',
    );
    assert.equal(
      refused({ regulariser: custom("far", ({ logProb, refLogProb }) => logProb - refLogProb) }),
      'Error: Cannot apply regulariser.own "far" as it must not throw: it threw TypeError: refLogProb must come from a reference policy: write regulariser: { klReference: { coef: 0 }, own: ... }',
    );
  });
});

describe("rows that an own function does not fit", () => {
  const of = (overrides: RecipeOverrides, name: "grpo" | "rloo" | "gigpo" | "stPpo" | "seeUpo" = "grpo") =>
    told(() => recipe(name, overrides));
  const gate = custom("mine", { objective: () => 1 });

  it("refuse two functions with one label", () => {
    const reward = custom("mine", (batch) => batch.return_n);
    const advantage = custom("mine", (batch) => batch.reward_nt);
    assert.equal(
      of({ advantage, reward }),
      'RangeError: Cannot make recipe grpo as every own function must have a label of its own: "mine" is one function in reward.own and another in advantage',
    );
    const f = (batch: { readonly return_n: Float64Array }): Float64Array => batch.return_n;
    recipe("grpo", { advantage: custom("same", f), reward: custom("same", f) });
  });

  it("are not searched for options of train: a label is none", () => {
    const row = recipe("grpo", { advantage: custom("mine", (batch) => batch.return_n) });
    assert.match(
      told(() => train({ env: "LookUp-v0", recipe: row, updates: 1, label: 3 } as never)),
      /: got label$/,
    );
  });

  it("refuse a gate where no ratio is formed, and what clipping brings about", () => {
    assert.equal(
      of({ gate }, "rloo"),
      'RangeError: Cannot make recipe rloo as ratio.level must be "token" or "turn" or "trajectory" with gate.kind "custom", which needs a ratio: current value is "none"',
    );
    assert.equal(
      of({ gate }, "stPpo"),
      'RangeError: Cannot make recipe stPpo as regulariser.clippingTriggered.kind must be "off" with gate.kind "custom", which clips nothing: current value is "gradNorm"',
    );
  });

  it("refuse a ratio of trajectories where turns move one by one", () => {
    const ratio = { by: custom("mine", (d) => d.length), over: "trajectory" } as const;
    assert.equal(
      of({ ratio }, "seeUpo"),
      'RangeError: Cannot make recipe seeUpo as ratio.level must be "token" or "turn" with order.kind "reverse", which updates turns one by one: current value is "custom"',
    );
    assert.equal(
      of({ ratio: { level: "trajectory" }, order: custom("mine", (turns) => turns) }),
      'RangeError: Cannot make recipe grpo as ratio.level must be "token" or "turn" with order.kind "custom", which updates turns one by one: current value is "trajectory"',
    );
  });

  it("refuse a scale on an advantage that scales itself", () => {
    assert.equal(
      of({ scale: custom("mine", (A) => A) }, "gigpo"),
      'RangeError: Cannot make recipe gigpo as scale.kind must be "none" or "group" with advantage.kind "gigpo", which scales each of its two parts: current value is "custom"',
    );
  });

  it("have no exact form on trees", () => {
    const own = (row: Recipe): string => told(() => exactRuleOf(row));
    const start = "RangeError: Cannot play recipe reinforce exactly as";
    const end = 'must have an exact form on trees: current value is an own function, "mine"';
    const rows: readonly [string, RecipeOverrides][] = [
      ["advantage", { advantage: custom("mine", (batch) => batch.return_n) }],
      ["scale", { scale: custom("mine", (A) => A) }],
      ["aggregate", { aggregate: custom("mine", () => 1) }],
      ["filter", { filter: custom("mine", (groups) => groups) }],
      ["reward.own", { reward: custom("mine", (batch) => batch.return_n) }],
      ["order", { order: custom("mine", (turns) => turns) }],
      ["regulariser.own", { regulariser: custom("mine", () => 0) }],
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
      /^RangeError: Cannot apply aggregate "late" as weights must be finite: token 0/,
    );
    assert.equal(run.stopReason, "failed");
    assert.deepEqual(run.checkpoint().policy, policy);
  });
});
