import assert from "node:assert/strict";
import { custom, recipe, type RecipeOverrides, createRng } from "turnwise";
import { turnSchedule } from "turnwise/internal/rule/index";
import { batch, N, T, L, refusal, update, refused } from "./refused";

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
      ["reward.custom", { reward: custom("mine", thrower) }],
      ["order", { order: custom("mine", thrower) }],
      ["regularizer.custom", { regularizer: custom("mine", thrower) }],
    ];
    for (const [cell, overrides] of cells) {
      const error = refusal(() => update(overrides));
      assert.equal(
        error.message,
        `Cannot apply ${cell} "mine": it must not throw, but it threw RangeError: no such key`,
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
      `RangeError: Cannot apply ${cell}: it must not depend on masked positions, but with other contents there, entry`;
    const end = "Read positions where mask_ntl is 1, and turns below turnCount_n.";
    // The old log-probs of padding are 0 in this batch, and any number in another.
    const careless = ({ shape: [n], oldLogProb_ntl }: typeof batch): number[] =>
      Array.from({ length: n }, (_, i) =>
        oldLogProb_ntl.subarray(i * T * L, (i + 1) * T * L).reduce((a, b) => a + b, 0),
      );
    const advantage = refused({ advantage: custom("careless", careless) });
    assert.ok(advantage.startsWith(start('advantage "careless"')) && advantage.endsWith(end), advantage);
    const reward = refused({ reward: custom("careless", careless) });
    assert.ok(reward.startsWith(start('reward.custom "careless"')) && reward.endsWith(end), reward);
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
      'RangeError: Cannot apply advantage "counting": it must depend on its arguments alone, so that a run can be repeated, but called twice with the same batch, its numbers differ at entry 0.',
    );
  });

  describe("a function that answers the same question in two ways, in every other cell", () => {
    let calls = 0;
    beforeEach(() => {
      calls = 0;
    });
    const start =
      ": it must depend on its arguments alone, so that a run can be repeated, but called twice with the same, it returned";
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
      "regularizer.custom": {
        overrides: { regularizer: { custom: custom("odd", () => calls++) } },
        returned: "0, then 1",
      },
    };
    for (const [cell, { overrides, returned }] of Object.entries(cases)) {
      it(cell, () => {
        assert.equal(
          refused(overrides),
          `RangeError: Cannot apply ${cell.split(" ")[0]} "odd"${start} ${returned}.`,
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
      `Error: Cannot apply advantage "td": it must not throw, but it threw TypeError: value_nt must come from a critic: write advantage: { by: custom("td", f), critic: true }`,
    );
    assert.equal(
      refused({ regularizer: custom("far", ({ logProb, refLogProb }) => logProb - refLogProb) }),
      `Error: Cannot apply regularizer.custom "far": it must not throw, but it threw TypeError: refLogProb must come from a reference policy: write regularizer: { klReference: { coef: 0 }, custom: ... }`,
    );
  });
});
