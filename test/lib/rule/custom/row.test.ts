// Uses internals of turnwise/schema.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  compareRecipes,
  custom,
  explain,
  loadCheckpoint,
  playground,
  readRecords,
  recipe,
  saveCheckpoint,
  surrogateGradient,
  train,
  trainInFolder,
  type Checkpoint,
  type Recipe,
  type TrainRecord,
} from "turnwise";
import { knobsOf } from "turnwise/internal/schema/index";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { sourceOf } from "turnwise/internal/rule/sourceOf";
import { tableCells } from "turnwise/internal/rule/table";

const surprise = custom.advantage("surprise", ({ return_n }) => return_n.map((R) => R * R - 0.5), {
  help: "The squared return, less a half.",
  equation: "A=R^2-\\frac12",
  source: "a test",
});
const bonus = custom.reward("bonus", ({ turnCount_n }) => Array.from(turnCount_n, (turns) => 0.1 * turns));
const row = recipe("grpo", { advantage: surprise, reward: bonus, gate: { clipHigh: 0.3 } });

const thrown = (f: () => unknown): string => {
  try {
    f();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  throw new Error("nothing was refused");
};
const updates = (all: readonly TrainRecord[]): unknown[] =>
  all.map(({ update, metrics }) => ({ update, metrics }));
async function all(run: AsyncIterable<TrainRecord>): Promise<TrainRecord[]> {
  const records: TrainRecord[] = [];
  for await (const record of run) records.push(record);
  return records;
}
const parsed = <X>(value: X): X => JSON.parse(JSON.stringify(value)) as X;

describe("a row with own functions stays a row", () => {
  it("has their labels in the printed table", () => {
    const every = recipe("grpo", {
      advantage: surprise,
      reward: bonus,
      scale: custom("halved", (A) => A.map((a) => a / 2)),
      ratio: custom("first", ([d]) => Math.exp(d!)),
      gate: custom("linear", { objective: ({ ratio, advantage }) => ratio * advantage }),
      aggregate: custom("sum", () => 1),
      filter: custom("all", (groups) => groups),
      order: custom("ends", (turns) => turns),
      regularizer: custom("quiet", () => 0),
    });
    assert.deepEqual(tableCells(every), [
      "`grpo`",
      "surprise",
      "halved",
      "none",
      "turn, first",
      "linear",
      "sum",
      "ends; carry exact, product",
      "all; bonus",
      "quiet",
    ]);
  });

  it("is compared by label, and two functions of one label are told apart", () => {
    const other = recipe(row, { advantage: custom("surprise", (batch) => batch.return_n) });
    assert.deepEqual(compareRecipes(row, other).differences, [
      { field: "advantage", values: ["surprise (1)", "surprise (2)"] },
    ]);
    assert.deepEqual(compareRecipes(row, recipe(row)).differences, []);
    const { differences } = compareRecipes("grpo", row);
    assert.deepEqual(differences.slice(0, 2), [
      { field: "reward.custom", values: ["off", "bonus"] },
      { field: "advantage", values: ["mean", "surprise"] },
    ]);
  });

  it("explains what was said of each function", () => {
    const text = explain(row).toString();
    assert.ok(
      text.includes(
        'Functions of your own:\n- reward.custom "bonus"\n- advantage "surprise"; The squared return, less a half.; A=R^2-\\frac12; Source: a test\n',
      ),
      text,
    );
    assert.ok(!explain("grpo").toString().includes("of your own"));
  });

  it("keeps its functions under further changes", () => {
    const wider = recipe(row, { gate: { clipHigh: 0.4 } });
    assert.deepEqual(wider.advantage, row.advantage);
    assert.equal(wider.reward.custom, bonus);
    assert.equal(recipe(wider, { reward: { custom: null } }).reward.custom, null);
    assert.deepEqual(recipe(wider, { advantage: "mean" }).advantage, recipe("grpo").advantage);
  });

  it("is written as data, with labels for functions, and as the call that makes it", () => {
    assert.deepEqual(parsed(row).advantage, {
      kind: "custom",
      by: { custom: "surprise" },
      critic: false,
      gamma: 1,
      valueCoef: 0.5,
    } as never);
    const source =
      'recipe("grpo", { reward: custom("bonus", f), advantage: custom("surprise", f), gate: { clipHigh: 0.3 } })';
    assert.equal(sourceOf(row), source);
    assert.equal(sourceOf(parsed(row)), source);
    assert.equal(sourceOf(recipe("ppo")), 'recipe("ppo")');
    const withCritic = recipe("ppo", { advantage: { by: surprise, critic: true }, scale: "none" });
    assert.equal(
      sourceOf(withCritic),
      'recipe("ppo", { advantage: { by: custom("surprise", f), critic: true, gamma: 1, valueCoef: 0.5 }, scale: { kind: "none" } })',
    );
  });

  it("is offered by no menu and no slider", () => {
    for (const { path: at, values } of knobsOf(recipeSchema)) assert.ok(!values?.includes("custom"), at);
  });

  it("plays in the playground, which tells it and goes on with it when something is steered", async () => {
    const play = playground({ recipe: row, updates: 6 });
    const text = (): string =>
      (play as unknown as Record<symbol, () => Record<string, string>>)[Symbol.for("Jupyter.display")]!()[
        "text/plain"
      ]!;
    await play.run(3);
    assert.match(text(), /paused: LookUp-v0, grpo \+ bonus \+ surprise, update 3 of 6/);
    assert.match(text(), /changed: .*advantage: mean → surprise/);
    play.set("clipHigh", 0.25);
    await play.run(3);
    assert.equal(play.records.length, 6);
    assert.match(text(), /advantage: mean → surprise/);
    play.set("advantage", "leaveOneOut");
    assert.match(text(), /advantage: mean → leaveOneOut/);
  });
});

describe("a checkpoint of a row with own functions", () => {
  const start = { env: "LookUp-v0", recipe: row, updates: 4, seed: 5, groups: 4, groupSize: 4 } as const;
  let checkpoint: Checkpoint;
  let whole: TrainRecord[];

  before(async () => {
    whole = await all(train(start));
    const run = train(start);
    await run.next();
    await run.next();
    checkpoint = run.checkpoint();
  });

  it("goes on where it was made, and from a file with the row given again, record by record", async () => {
    assert.deepEqual(updates(await all(train({ resume: checkpoint, updates: 4 }))), updates(whole.slice(2)));
    const resumed = train({ resume: parsed(checkpoint), recipe: row, updates: 4 });
    assert.deepEqual(updates(await all(resumed)), updates(whole.slice(2)));
  });

  const resume = (recipe?: Recipe | "grpo") => (): unknown =>
    train({ resume: parsed(checkpoint), updates: 4, ...(recipe !== undefined && { recipe }) });

  it("asks for the functions that no file can hold, with the line to add", () => {
    assert.equal(
      thrown(resume()),
      'TypeError: Cannot resume: a checkpoint stores only the labels of custom functions, and this one has reward.custom "bonus", advantage "surprise".\n' +
        'Add recipe: recipe("grpo", { reward: custom("bonus", f), advantage: custom("surprise", f), gate: { clipHigh: 0.3 } })',
    );
  });

  it("refuses a function of another label, and none", () => {
    const wrong =
      'RangeError: Cannot resume: advantage must be the checkpoint\'s custom function "surprise",';
    const surprize = custom("surprize", surprise.apply);
    assert.equal(thrown(resume(recipe(row, { advantage: surprize }))), `${wrong} got "surprize".`);
    assert.equal(thrown(resume(recipe(row, { advantage: "mean" }))), `${wrong} got no custom function.`);
    assert.equal(
      thrown(resume("grpo")),
      'RangeError: Cannot resume: reward.custom must be the checkpoint\'s custom function "bonus", got no custom function.',
    );
  });

  it("refuses a function of another text, where the checkpoint still has its own", async () => {
    const anew = (factor: 1 | 2) => {
      const twice = custom.advantage("bent", ({ return_n }) => return_n.map((R) => 2 * R));
      const once = custom.advantage("bent", ({ return_n }) => return_n.map((R) => R));
      return recipe("grpo", { advantage: factor === 2 ? twice : once });
    };
    const run = train({ ...start, recipe: anew(2) });
    await run.next();
    const kept = run.checkpoint();
    const again = await all(train({ resume: kept, recipe: anew(2), updates: 4 }));
    assert.deepEqual(updates(again), updates(await all(train({ resume: kept, updates: 4 }))));
    assert.equal(
      thrown(() => train({ resume: kept, recipe: anew(1), updates: 4 })),
      'RangeError: Cannot resume: advantage must be the checkpoint\'s custom function "bent", but the text of the current one is another.',
    );
  });

  it("refuses a row that differs elsewhere, and any row where it has all there is", async () => {
    assert.equal(
      thrown(resume(recipe(row, { gate: { clipHigh: 0.2 } }))),
      "RangeError: Cannot resume: recipe must be the checkpoint's rule, where gate.clipHigh is 0.3, got 0.2.",
    );
    const more = recipe(row, { order: custom("forward", (turns) => turns) });
    assert.equal(
      thrown(resume(more)),
      "RangeError: Cannot resume: recipe must be the checkpoint's rule, where order is simultaneous, got forward.",
    );
    const plain = train({ ...start, recipe: "grpo" });
    await plain.next();
    assert.equal(
      thrown(() => train({ resume: plain.checkpoint(), recipe: "grpo", updates: 4 })),
      "TypeError: Cannot resume: the checkpoint fixes recipe. Leave it out.",
    );
  });

  it("lies in a folder that is trained on, with the functions from the options", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "turnwise-custom-"));
    await saveCheckpoint(folder, checkpoint);
    assert.deepEqual((await loadCheckpoint(folder))?.recipe, parsed(row));
    const other = mkdtempSync(path.join(tmpdir(), "turnwise-custom-"));
    await all(trainInFolder(other, { ...start, updates: 2 }));
    await all(trainInFolder(other, start));
    assert.deepEqual(updates(await readRecords(other)), updates(whole));
  });
});

describe("a gate through log pi", () => {
  // CISPO, arXiv 2506.13585, Eq. 4: the ratio is cut and stands behind a stop-gradient, so every token keeps a gradient.
  const high = 1.28;
  const numbers = recipe("grpo", {
    gate: {
      through: "logProb",
      by: custom("cispo", {
        objective: ({ ratio, advantage, logProb }) => Math.min(ratio, high) * advantage * logProb,
      }),
    },
    aggregate: "tokenMean",
  });
  const shape = [1, 2, 2] as const;
  const input = {
    shape,
    logProb_ntl: [-0.5, -2, -1, NaN],
    oldLogProb_ntl: [-1, -1.5, -1, NaN],
    mask_ntl: [1, 1, 1, 0],
    advantage_ntl: [2, -1, 0.5, NaN],
  };

  it("has the gradient written by hand", () => {
    // Three tokens, so the weight is 1/3; ratios e^.5 = 1.65 (cut to 1.28), e^-.5 and 1; d loss / d log pi = -min(r, 1.28) A / 3.
    const wanted = [(-high * 2) / 3, Math.exp(-0.5) / 3, -0.5 / 3, 0];
    const { dLogProb_ntl, loss } = surrogateGradient(input, numbers);
    // Central differences: ten digits.
    dLogProb_ntl.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]!) < 1e-9, `${i}: ${x}`));
    assert.ok(Math.abs(loss - (-high * 2 * -0.5 + Math.exp(-0.5) * -2 - 0.5 * -1) / 3) < 1e-12);
  });

  it("has the same gradient with its slope given", () => {
    const given = recipe(numbers, {
      gate: {
        through: "logProb",
        by: custom("cispo with slope", {
          objective: ({ ratio, advantage, logProb }) => Math.min(ratio, high) * advantage * logProb,
          slope: ({ ratio, advantage }) => Math.min(ratio, high) * advantage,
        }),
      },
    });
    const wanted = [-(1 / 3) * (high * 2), (1 / 3) * Math.exp(-0.5), -(1 / 3) * 0.5, 0];
    assert.deepEqual([...surrogateGradient(input, given).dLogProb_ntl], wanted);
  });
});
