import assert from "node:assert/strict";
import {
  collect,
  createPolicy,
  createRng,
  estimateChart,
  learningCurve,
  make,
  makeVector,
  recipe,
  recipeNames,
  recipes,
  scriptedBatch,
  sweep,
  sweepTable,
  train,
  trainSeeds,
  type TrainRecord,
} from "turnwise";
import { displaySymbol, liveSymbol } from "turnwise/plot";

interface Displayable {
  [displaySymbol](): Record<string, string>;
}

/** As a kernel asks for it. */
const cardOf = (value: unknown): Displayable | undefined =>
  (globalThis as unknown as Record<symbol, (value: unknown) => Displayable | undefined>)[
    Symbol.for("turnwise.cards")
  ]!(value);
const textOf = (value: unknown): string =>
  (cardOf(value) ?? (value as Displayable))[displaySymbol]()["text/plain"]!;
const htmlOf = (value: unknown): string =>
  (cardOf(value) ?? (value as Displayable))[displaySymbol]()["text/html"]!;

const setting = { env: "LookUp-v0", recipe: "grpo", updates: 4, groups: 2, groupSize: 4 } as const;

async function recordsOf(run: AsyncIterable<TrainRecord>): Promise<TrainRecord[]> {
  const records: TrainRecord[] = [];
  for await (const record of run) records.push(record);
  return records;
}

describe("the card of a rule's row", () => {
  it("is the row as a table, with what the row that it was made of has instead", () => {
    const text = textOf(recipe("grpo", { gate: { clipHigh: 0.28 }, update: { epochs: 3 } }));
    assert.match(text, /^GRPO \(grpo, changed\)\narXiv 2402\.03300/);
    assert.match(text, /\nchoice +this rule +recipe\("grpo"\) has\n/);
    assert.match(text, /\ngate +clip 0\.2\/0\.28 +clipHigh 0\.2\n/);
    assert.match(text, /\nupdate +3 epochs of 2 minibatches; adam 0\.03 +epochs 2\n/);
    assert.match(text, /\nscale +group\n/, "nothing beside a cell that is the same");
  });

  it("names the nearest rule where nothing was changed: the one that differs in the fewest choices", () => {
    // The mask is GRPO with another gate that has the same clip; SAPO's gate shares no knob, Dr. GRPO differs in two choices.
    assert.match(textOf(recipe("grpo")), /the nearest rule, offPolicyMask, has\n/);
    assert.match(textOf(recipe("grpo")), /\ngate +clip 0\.2\/0\.2 +offPolicyMask, delta 0\.5\n/);
    assert.match(textOf(recipe("sapo")), /the nearest rule, grpo, has\n/);
    for (const name of recipeNames) assert.match(textOf(recipe(name)), /the nearest rule, \w+, has\n/, name);
  });

  it("leaves the row the plain data that it was", () => {
    const row = recipe("grpo");
    assert.deepEqual(Object.getOwnPropertySymbols(row), []);
    assert.deepEqual(structuredClone(row), row);
    assert.equal(Object.getPrototypeOf(row), Object.prototype);
    // Whatever way it went, it is known again.
    for (const copy of [structuredClone(row), { ...row }, JSON.parse(JSON.stringify(row))] as unknown[])
      assert.equal(textOf(copy), textOf(row));
  });

  it("is not given to what only looks like a row, and the whole table has one of its own", () => {
    for (const other of [
      { name: "grpo" },
      { name: "toString" },
      { ...recipe("grpo"), name: "mine" },
      {},
      [],
      null,
      3,
    ])
      assert.equal(cardOf(other), undefined);
    const lines = textOf(recipes).split("\n");
    assert.match(lines[2]!, /^recipe +advantage +scale/);
    assert.equal(
      lines.filter((line) => /^\w+ /.test(line) && recipeNames.includes(line.split(" ")[0] as "grpo")).length,
      recipeNames.length,
    );
  });
});

describe("the card of a run", () => {
  it("says that nothing has happened yet, and how to train", () => {
    const text = textOf(train({ ...setting, seed: 1 }));
    assert.match(text, /^grpo in LookUp-v0: 0 of 4 updates\nNot begun: /);
    assert.match(text, /To train: for await \(const \{ update, metrics \} of run\)/);
  });

  it("draws its curve, gives its last figures, and says how to go on", async () => {
    const run = train({ ...setting, exactEvery: true, seed: 1 });
    const records = await recordsOf(run);
    const text = textOf(run);
    assert.match(text, /^grpo in LookUp-v0: 4 of 4 updates\nFinished\.\nreturn\/exact [▁▂▃▄▅▆▇█]{4}\n/);
    const last = records.at(-1)!.metrics["reward/mean"]!;
    assert.ok(text.includes(`\nreward/mean      ${Number(last.toFixed(3))}`), text);
    assert.match(text, /To go on: train\(\{ resume: run\.checkpoint\(\), updates: 8 \}\)/);
    const html = htmlOf(run);
    assert.match(html, /<svg [^>]*aria-label="return\/exact over 4 updates/);
    assert.doesNotMatch(html, /color:#000|fill="black"|fill="#000/, "its ink is that of the page");
  });

  it("says why it ended before its end", async () => {
    const run = train({ ...setting, seed: 1 });
    for await (const record of run) if (record.update === 2) break;
    assert.match(textOf(run), /: 2 of 4 updates\nStopped before its end; nothing is lost\.\n/);
    assert.match(textOf(run), /train\(\{ resume: run\.checkpoint\(\), updates: 4 \}\)/);
  });

  it("draws a long run with a bounded number of points, the last among them", async () => {
    const long = train({ ...setting, updates: 1500, groups: 1, groupSize: 2, seed: 1 });
    const records = await recordsOf(long);
    const path = /<path d="(M[^"]*L[^"]*)" fill="none" stroke="#4080E0"/.exec(htmlOf(long))![1]!;
    const points = path.split(/[ML]/).length - 1;
    assert.ok(points > 400 && points <= 1024, String(points));
    assert.equal(records.length, 1500);
  }).timeout(60_000);
});

describe("the card of records, a checkpoint and metrics", () => {
  it("shows first and last figures of a list, every metric of one record, and no parameters of a checkpoint", async () => {
    const run = train({ ...setting, seed: 1 });
    const records = await recordsOf(run);
    assert.match(textOf(records), /^4 records of a run\nUpdates 1 to 4; \d+ metrics each\.\nreward\/mean/);
    assert.match(textOf(records), /\nmetric +first +last +unit\n/);
    assert.match(textOf(records[0]), /^Update 1\n8 trajectories and 4 optimizer steps so far/);
    assert.match(
      textOf(records[0]),
      /\npolicy\/entropy +\S+ +nats per token +mean entropy of the next-token/,
    );
    assert.match(textOf(records[0]!.metrics), /^Metrics\n/);
    const checkpoint = run.checkpoint();
    assert.match(textOf(checkpoint), /^Checkpoint of grpo in LookUp-v0 after update 4\n/);
    assert.ok(textOf(checkpoint).length < 500);
    assert.match(textOf(JSON.parse(JSON.stringify(checkpoint))), /^Checkpoint of grpo/);
  });
});

describe("the card of seeds", () => {
  it("draws each seed behind the mean, and says below five seeds that they decide nothing", async () => {
    const three = await trainSeeds({ ...setting }, 3, { workers: 0 });
    const html = htmlOf(three);
    assert.match(html, /grpo: 3 seeds, 4 updates each<\/strong><div>LookUp-v0</);
    assert.equal(html.match(/stroke-opacity="\.45"/g)?.length, 3, "a faint line for each seed");
    assert.match(html, /3 seeds decide nothing: a verdict needs at least 5\./);
    assert.match(html, /trainSeeds\(options, 6, \{ resume: runs \}\)/);
    const five = await trainSeeds({ ...setting }, 5, { workers: 0, resume: three });
    assert.doesNotMatch(htmlOf(five), /decide/);
  });

  it("gives one seed no interval of no width, neither here nor in a chart", async () => {
    const one = await trainSeeds({ ...setting }, 1, { workers: 0 });
    assert.match(String(one), /^grpo: 1 seed, 4 updates each; reward\/mean -?[\d.]+; /);
    assert.doesNotMatch(String(one), /\[/);
    assert.match(htmlOf(one), /One seed decides nothing/);
    const chart = learningCurve(one, { metric: "reward/mean" });
    assert.match(JSON.stringify(chart.spec), /one seed, and so no interval/);
    const estimate = estimateChart({ one }, { metric: "reward/mean" });
    assert.match(estimate.summary, /one: -?\d\.\d{3}\.$/);
  });
});

describe("the card of a sweep", () => {
  const plan = { ...setting, recipe: ["grpo", "rloo"], seeds: 2, metric: "reward/mean", workers: 0 } as const;

  it("is its live table, and that of what it gave once it is finished", async () => {
    const run = sweep(plan);
    assert.equal(typeof (cardOf(run) as unknown as Record<symbol, unknown>)[liveSymbol], "function");
    const outcome = await run;
    assert.match(textOf(outcome), /^4 of 4 jobs, finished\nrecipe=grpo +2\/2 +done +-?\d/);
    assert.deepEqual(sweepTable(outcome).run.progress.cells, sweepTable(run).run.progress.cells);
    assert.equal(sweepTable(outcome, { metric: "policy/entropy" }).run.progress.metric, "policy/entropy");
    const { metric: _, ...others } = plan;
    assert.equal(sweepTable(await sweep(others)).run.progress.metric, "success/mean", "all results have it");
  });

  it("refuses a metric that results lack, and anything that is no sweep", async () => {
    const outcome = await sweep(plan);
    assert.throws(
      () => sweepTable(outcome, { metric: "policy/entropi" }),
      /^RangeError: Cannot show a table of a sweep: every result must have the metric "policy\/entropi", got the first has reward\/mean/,
    );
    assert.throws(
      () => sweepTable(Promise.resolve(outcome) as never),
      /got a promise \(did you forget await\?\)\.$/,
    );
    assert.throws(() => sweepTable(3 as never), /got number\.$/);
  });
});

describe("the card of what was collected", () => {
  it("draws the first group of a batch, with the returns of all", () => {
    const env = make("LookUp-v0");
    const batch = scriptedBatch(env, [
      [["ANSWER", "0"]],
      [
        ["LOOKUP", "0"],
        ["ANSWER", "3"],
      ],
    ]);
    const text = textOf(batch);
    assert.match(text, /^2 trajectories in \d groups?\nat most 2 turns of at most 2 tokens\n/);
    assert.match(text, /turn 1: \(question: which of 0, 1, 2, 3 is the fact\?\) ANSWER 0/);
    assert.match(text, /\nmean return /);
    assert.match(htmlOf(batch), /<svg /);
    const many = collect(env, createPolicy(env.spec), { groups: 2, groupSize: 8, rng: createRng(0) });
    assert.match(textOf(many), /^16 trajectories in 2 groups\n/);
  });

  it("draws an episode of your own loop, and shows observations as text and maps as maps", () => {
    const episode = { turns: [{ observation: "2 + 2 = ?", tokens: ["4"], reward: 1 }] };
    assert.match(textOf(episode), /^An episode\nOne trajectory, return 1\n/);
    assert.match(textOf([episode, episode]), /^2 episodes\n/);
    const env = make("Sokoban-v0");
    const first = env.reset({ seed: 1 });
    assert.match(textOf(first), /^What the agent sees\n######\n#/);
    assert.equal(textOf(first[0]), textOf(first));
    assert.match(htmlOf(first), /<pre [^>]*>######\n#/);
    assert.match(textOf(env.step([4])), /^Reward -?[\d.]+\n######\n[^]*\nthe episode has ended +no/);
  });

  it("reports copies of a world what it reports one", () => {
    const text = textOf(makeVector("LookUp-v0", 2));
    assert.match(text, /^2 copies of LookUp-v0, stepped together\ninformation gathering/);
    assert.match(text, /hidden at the start {2}which of 4 starts it is: fact=0, /);
  });

  it("says in words what a table does in the contexts that it met first", async () => {
    const run = train({ ...setting, seed: 1 });
    await recordsOf(run);
    // The first observation is the word "question"; at the start, all six words are equally likely.
    assert.match(textOf(run.policy), /\nafter "question" it writes \S+ 0\.\d\d, /);
    assert.match(htmlOf(run.policy), /after <code>question<\/code>/);
  });
});

describe("a topic of help()", () => {
  it("is found by the paths at which an option is written, and not twice by its own name", () => {
    const sources = (globalThis as Record<symbol, unknown>)[Symbol.for("Jupyter.help")] as Map<
      string,
      { topics(): readonly { name: string; also?: readonly string[] }[] }
    >;
    const topics = sources.get("turnwise")!.topics();
    const also = (name: string): readonly string[] => topics.find((topic) => topic.name === name)!.also!;
    assert.ok(also("clipHigh").includes("gate.clipHigh"));
    assert.equal(also("clipHigh").includes("clipHigh"), false);
    // Worlds have it at the top, where its path is its name.
    assert.deepEqual(also("turnCost"), []);
  });
});
