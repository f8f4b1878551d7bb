import assert from "node:assert/strict";
import { custom, recipe, train, type Recipe, type TrainRecord } from "turnwise";

const message = (f: () => unknown): string => {
  try {
    f();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  throw new Error("nothing was refused");
};

async function records(row: Recipe, env = "LookUp-v0", updates = 3): Promise<TrainRecord["metrics"][]> {
  const found: TrainRecord["metrics"][] = [];
  for await (const { metrics } of train({ env, recipe: row, updates, seed: 3, groups: 4, groupSize: 4 })) {
    found.push(metrics);
  }
  return found;
}

describe("custom", () => {
  it("stands in a row where a name stands, and completes to the cell's own knobs", () => {
    const f = custom("raw", (batch) => batch.return_n);
    const row = recipe("rloo", { advantage: f });
    assert.deepEqual(row.advantage, { kind: "custom", by: f, critic: false, gamma: 1, valueCoef: 0.5 });
    assert.equal(recipe("rloo", { advantage: { by: f, critic: true } }).advantage.kind, "custom");
  });

  it("infers what the function gets from the cell in which it stands", () => {
    recipe("grpo", {
      advantage: custom("typed", (batch, { groups, value_nt }) => {
        const N: number = batch.shape[0];
        const [first]: readonly (readonly number[])[] = groups;
        return Float64Array.from({ length: N }, (_, n) => (first!.includes(n) ? value_nt[0]! : 0));
      }),
    });
    recipe("grpo", {
      scale: custom("clamped", (advantage, { groups }) => advantage.map((A) => A / groups.length)),
      ratio: custom("median", (d) => Math.exp([...d].sort((a, b) => a - b)[Math.floor(d.length / 2)]!)),
      gate: custom("soft", { objective: ({ ratio, advantage }) => Math.tanh(ratio) * advantage }),
      aggregate: custom(
        "root",
        ({ trajectories, tokensOfTrajectory: M }) => 1 / (trajectories * Math.sqrt(M)),
      ),
      filter: custom("wide", (groups) =>
        groups.filter(({ deviation, returns }) => deviation > 0 && returns[0]! > 0),
      ),
      reward: custom("brief", (batch) => Array.from(batch.turnCount_n, (turns) => -0.01 * turns)),
      order: custom("pairs", (turns, rng) => [
        turns.filter((t) => t % 2 === 0),
        rng.shuffle(turns.filter((t) => t % 2)),
      ]),
      regularizer: custom("square", ({ logProb, oldLogProb }) => (logProb - oldLogProb) ** 2),
    });
    const alone = custom.advantage("alone", ({ return_n }, { groups }) =>
      return_n.map((R, n) => (groups[0]!.includes(n) ? R : -R)),
    );
    recipe("grpo", { advantage: alone });
    // @ts-expect-error an advantage is no schedule
    recipe("grpo", { order: alone });
    custom.gate("numbers", { objective: ({ ratio, advantage }) => Math.sqrt(ratio) * advantage });
    custom.gate("tensors", (tf, { ratio, advantage }) => tf.mul(ratio, advantage));
    // @ts-expect-error a batch has no field of this name
    recipe("grpo", { advantage: custom("misspelled", (batch) => batch.retrun_n) });
    // @ts-expect-error an advantage returns numbers
    recipe("grpo", { advantage: custom("words", () => "high") });
    // @ts-expect-error the bare word lacks the function
    assert.throws(() => recipe("grpo", { advantage: "custom" }));
  });

  it("refuses a label that is no name, and what is no function", () => {
    const label = "TypeError: Cannot name a custom function: its label must be a non-empty string";
    assert.equal(
      message(() => custom("", () => 0)),
      `${label}, got "".`,
    );
    assert.equal(
      message(() => custom("  ", () => 0)),
      `${label}, got "  ".`,
    );
    assert.equal(
      message(() => custom(3 as never, () => 0)),
      `${label}, got 3.`,
    );
    assert.equal(
      message(() => custom("mine", [1] as never)),
      'TypeError: Cannot name a custom function: custom("mine", f) needs a function f, got [1].',
    );
  });

  it("refuses a function without a label, and a row that comes back from JSON without its function", () => {
    assert.equal(
      message(() => recipe("grpo", { advantage: (() => 0) as never })),
      `TypeError: Cannot make recipe grpo: advantage must be a name, an object or a function with a label, got a function.\nWrite custom("mine", f).`,
    );
    const row = recipe("grpo", { advantage: custom("mine", (batch) => batch.return_n) });
    const { advantage } = JSON.parse(JSON.stringify(row)) as Recipe;
    assert.equal(
      message(() => recipe("grpo", { advantage })),
      'TypeError: Cannot make recipe grpo: advantage.by must be a function with a label, custom("mine", f), got {"custom":"mine"}.',
    );
  });

  it("trains with the mean of the group bit for bit as the row that has it by name", async () => {
    const row = recipe("grpo", {
      advantage: custom("mine", ({ return_n }, { groups }) => {
        const advantage = new Float64Array(return_n.length);
        for (const members of groups) {
          const mean = members.reduce((sum, n) => sum + return_n[n]!, 0) / members.length;
          for (const n of members) advantage[n] = return_n[n]! - mean;
        }
        return advantage;
      }),
    });
    assert.deepEqual(await records(row), await records(recipe("grpo")));
  });
});
