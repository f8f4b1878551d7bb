import assert from "node:assert/strict";
import { make, playground, recipe, recipeNames, register } from "turnwise";
import { type MakeKnobs } from "turnwise/internal/play/index";
import { meter, noticeHtml, panelHtml } from "turnwise/internal/play/panel";
import { asInRule, Settings, settingKnobs } from "turnwise/internal/play/settings";

const display = Symbol.for("Jupyter.display");
const live = Symbol.for("turnwise.live");
const textOf = (x: object): string =>
  (x as Record<symbol, () => Record<string, string>>)[display]!()["text/plain"]!;

describe("settings of the playground", () => {
  it("leave the row as it is until a knob is moved, and a number counts once it was moved", () => {
    const settings = new Settings({});
    assert.equal(settings.row.name, "grpo");
    assert.deepEqual(settings.row.gate, { kind: "clip", clipLow: 0.2, clipHigh: 0.2 });
    settings.set("clipHigh", 0.5);
    assert.deepEqual(settings.row.gate, { kind: "clip", clipLow: 0.2, clipHigh: 0.5 });
    settings.set("order", "reverse");
    settings.set("carry", "clipped");
    assert.equal(settings.row.order.kind, "reverse");
    assert.deepEqual("carry" in settings.row.order && settings.row.order.carry.kind, "clipped");
    settings.set("carry", asInRule);
    assert.deepEqual("carry" in settings.row.order && settings.row.order.carry.kind, "exact");
  });

  it("start the sliders at the numbers of the row, and let those follow that nobody has moved", () => {
    const settings = new Settings({ recipe: "starPoS", epochs: 3 });
    const numbers = (): unknown[] =>
      ["learningRate", "clipHigh", "entropyCoef", "epochs"].map((name) => settings.values[name]);
    assert.deepEqual(numbers(), [0.03, 0.28, 0.001, 3]);
    settings.set("recipe", "gspo");
    assert.deepEqual(settings.follow(), { clipHigh: 0.0004, entropyCoef: 0 });
    settings.set("clipHigh", 0.3);
    settings.set("recipe", "reinforce");
    // Without a clip the slider stays where it is, and a row that ignores it refuses it.
    assert.deepEqual(settings.follow(), {});
    assert.throws(() => settings.row, /clipHigh/);
  });

  it("have a slider for every number of every row of the table", () => {
    for (const name of recipeNames) {
      const { values } = new Settings({ recipe: name });
      const row = recipe(name);
      assert.equal(values.learningRate, row.update.optimizer.learningRate, name);
      assert.equal(values.epochs, row.update.epochs, name);
      assert.equal(values.entropyCoef, row.regularizer.entropyCoef, name);
      if ("clipHigh" in row.gate) assert.equal(values.clipHigh, row.gate.clipHigh, name);
    }
  });

  it("offer every choice of the table's columns as a menu", () => {
    assert.deepEqual(settingKnobs.scale, [asInRule, "none", "group", "batch", "mean", "tokens"]);
    assert.deepEqual(settingKnobs.correction, [asInRule, "none", "truncate", "mask", "reject"]);
    assert.deepEqual(settingKnobs.order, [asInRule, "simultaneous", "reverse", "forward", "random"]);
    for (const name of [
      "advantage",
      "ratio",
      "gate",
      "aggregate",
      "carry",
      "filter",
      "clippingTriggered",
    ] as const) {
      assert.ok((settingKnobs[name] as readonly string[]).length >= 3, name);
    }
  });

  it("offer custom worlds, and draw no optimum for one that does not say it is cheap to enumerate", async () => {
    register("PlaygroundTest-v0", (options) => make("TMaze-v0", options));
    assert.ok((settingKnobs.env as readonly string[]).includes("PlaygroundTest-v0"));
    const p = playground({ start: { env: "PlaygroundTest-v0" }, updates: 2 });
    await p.run();
    assert.equal(p.records.length, 2);
    assert.equal(p.records[1]!.metrics["return/exact"], undefined);
    assert.match(textOf(p), /reward\/mean/);
  });

  it("have the ranges that the schemas of rows and of train's options declare", () => {
    const { groups, groupSize, seed, epochs, entropyCoef, learningRate, clipHigh } = settingKnobs;
    assert.deepEqual(
      { groups, groupSize, seed, epochs, entropyCoef },
      {
        groups: [1, 16],
        groupSize: [2, 32],
        seed: [0, 20],
        epochs: [1, 8],
        entropyCoef: [0, 1, 0.001],
      },
    );
    assert.deepEqual(learningRate, { kind: "log", min: 1e-3, max: 100 });
    assert.deepEqual(clipHigh, { kind: "log", min: 1e-4, max: 1 });
  });

  it("refuse a name that is none", () => {
    assert.throws(() => new Settings({ rate: 1 } as never), {
      name: "RangeError",
      message: /^Cannot set up a playground: a setting must be one of env, recipe, .*, got "rate"/,
    });
    assert.throws(() => playground({ start: { learning_rate: 1 } as never }), {
      message: /, got "learning_rate"\.\nDid you mean "learningRate"\?$/,
    });
  });
});

describe("playground", function () {
  this.timeout(120_000);

  it("trains without a kernel, and says that its knobs are missing", async () => {
    const p = playground({ start: { learningRate: 0.1, seed: 1 }, updates: 30 });
    assert.match(textOf(p), /^The playground's knobs need turnwise's kernel/);
    await p.run();
    assert.equal(p.records.length, 30);
    assert.equal(p.running, false);
    assert.match(textOf(p), /paused: LookUp-v0, grpo, update 30 of 30/);
    assert.match(textOf(p), /changed: update\.optimizer\.learningRate: 0\.03 → 0\.1/);
    // The question, a turn of two tokens, and the reward.
    assert.match(textOf(p), /environment: .*\n {2}agent: \w+ \w+/);
  });

  it("steers from the present parameters: the updates go on, and the first ones are those of an unsteered run", async () => {
    const plain = playground({ start: { seed: 2 }, updates: 20 });
    await plain.run();
    const steered = playground({ start: { seed: 2 }, updates: 20 });
    await steered.run(10);
    assert.equal(steered.records.length, 10);
    steered.set("learningRate", 10);
    await steered.run();
    assert.deepEqual(
      steered.records.map(({ update }) => update),
      Array.from({ length: 20 }, (_, k) => k + 1),
    );
    const means = (p: typeof plain): unknown[] => p.records.map(({ metrics }) => metrics["policy/loss"]);
    assert.deepEqual(means(steered).slice(0, 10), means(plain).slice(0, 10));
    assert.notDeepEqual(means(steered).slice(11), means(plain).slice(11));
  });

  it("steering with what is set already changes no bit of the training", async () => {
    const run = async (interrupted: boolean): Promise<unknown[]> => {
      const p = playground({ start: { seed: 3, recipe: "rloo" }, updates: 12 });
      await p.run(6);
      if (interrupted) p.set("scale", "none");
      await p.run();
      return p.records.map(({ metrics }) => metrics);
    };
    assert.deepEqual(await run(true), await run(false));
  });

  it("tells settings that do not fit together and leaves the training as it is", async () => {
    const p = playground({ updates: 6 });
    await p.run(2);
    p.set("pooling", "product");
    assert.match(textOf(p), /! Cannot .*pooling/);
    await p.run(2);
    assert.equal(p.records.length, 4);
    p.set("pooling", asInRule);
    assert.doesNotMatch(textOf(p), /!/);
  });

  it("refuses what no control could hold, keeps the control where it was, and trains on", async () => {
    const p = playground({ updates: 8 });
    await p.run(2);
    const refused = [
      [
        "env",
        "LookUp-v9",
        /Cannot set env: it must be one of .*, got "LookUp-v9"\.\nDid you mean "LookUp-v0"\? Training goes on without it\./,
      ],
      [
        "learningRate",
        NaN,
        /Cannot set learningRate: it must be a number from 0\.001 to 100, got NaN\. Training/,
      ],
      ["groups", 2.5, /Cannot set groups: it must be an integer from 1 to 16, got 2\.5\. Training/],
      ["epochs", "two", /Cannot set epochs: it must be an integer from 1 to 8, got "two"\. Training/],
      [
        "lerningRate",
        1,
        /Cannot set up a playground: a setting must be one of .*\.\nDid you mean "learningRate"\? Training/,
      ],
    ] as const;
    for (const [name, value, message] of refused) {
      p.set(name as "env", value);
      assert.match(textOf(p), message);
      await p.run(1);
    }
    assert.equal(p.records.length, 7);
    p.set("groups", 4);
    assert.doesNotMatch(textOf(p), /!/);
    assert.match(
      p.code,
      /start: \{ env: "LookUp-v0", recipe: "grpo" \}, changes: \[\{ after: 7, groups: 4 \}\]/,
    );
  });

  it("takes back every change of the rule at once, so that no choice shuts out another rule", async () => {
    const p = playground({ start: { clipHigh: 0.5, scale: "none" }, updates: 6 });
    await p.run(2);
    p.set("recipe", "rloo");
    assert.match(textOf(p), /! Cannot .*clipHigh/);
    p.clear();
    assert.doesNotMatch(textOf(p), /!/);
    assert.match(textOf(p), /LookUp-v0, rloo, update 2 of 6\nthe rule as it stands in the table/);
    await p.run();
    assert.equal(p.records.length, 6);
  });

  it("clears the chart and starts again with another world", async () => {
    const p = playground({ updates: 8 });
    await p.run(6);
    assert.match(textOf(p), /learning curve of return\/exact\. grpo: /);
    p.set("env", "MatrixChain-v0");
    assert.equal(p.records.length, 0);
    assert.match(textOf(p), /No records yet/);
    await p.run(5);
    assert.match(textOf(p), /learning curve of return\/exact\. grpo: \d\.\d+ after update 5;/);
    assert.match(textOf(p), /MatrixChain-v0, grpo, update 5 of 8/);
  });

  it("keeps the training when a row needs a critic or a seed is moved, and says that they wait for a restart", async () => {
    const p = playground({ updates: 8 });
    await p.run(2);
    p.set("recipe", "ppo");
    assert.match(textOf(p), /~ restart to apply: ppo needs a critic, which this agent does not have/);
    await p.run(1);
    assert.equal(p.records.length, 3);
    assert.match(textOf(p), /LookUp-v0, grpo, update 3 of 8/);
    p.set("seed", 4);
    assert.match(textOf(p), /~ restart to apply: ppo .*; seed 4$/m);
    p.set("recipe", "grpo");
    assert.match(textOf(p), /~ restart to apply: seed 4$/m);
    p.set("pooling", "product");
    assert.match(textOf(p), /! Cannot .*pooling.*\n.*\n~ restart to apply: seed 4$/m);
    p.set("pooling", asInRule);
    assert.match(textOf(p), /~ restart to apply: seed 4$/m);
    p.set("recipe", "ppo");
    p.reset();
    assert.doesNotMatch(textOf(p), /restart to apply/);
    assert.equal(p.records.length, 0);
    await p.run();
    assert.equal(p.records.length, 8);
    assert.match(textOf(p), /LookUp-v0, ppo, update 8 of 8/);
  });

  it("applies a seed and a critic at once where no update would be lost", () => {
    const p = playground({ updates: 8 });
    p.set("seed", 4);
    p.set("recipe", "ppo");
    assert.doesNotMatch(textOf(p), /restart to apply/);
    assert.match(textOf(p), /LookUp-v0, ppo, update 0 of 8/);
  });

  it("pauses between updates, gives the event loop its turns, and goes on", async () => {
    const p = playground({ updates: 100_000 });
    const going = p.run();
    assert.equal(p.running, true);
    // Timers run while training runs: otherwise this test would never end.
    for (let turns = 0; turns < 3 || p.records.length < 5; turns++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    p.pause();
    await going;
    const { length } = p.records;
    assert.ok(length < 100_000);
    assert.equal(p.running, false);
    await p.run(2);
    assert.equal(p.records.length, length + 2);
    p.reset();
    assert.equal(p.records.length, 0);
  });

  it("asks the kernel for knobs by its symbol, and redraws curve and panel while it trains", async () => {
    const symbol = Symbol.for("turnwise.knobs");
    let clicks: Record<string, () => unknown> = {};
    let move: (values: Record<string, number | string>, changed: string) => void = () => undefined;
    let beside: readonly object[] = [];
    const page: Record<string, unknown> = {};
    const make: MakeKnobs = (spec, o) => {
      beside = o.beside ?? [];
      clicks = Object.fromEntries(
        Object.entries(spec).flatMap(([name, knob]) =>
          "kind" in knob && knob.kind === "button" ? [[name, knob.run]] : [],
        ),
      );
      Object.assign(page, o.start);
      return Object.assign(page, {
        values: () => o.start ?? {},
        onChange: (listener: typeof move) => {
          move = listener;
          return () => undefined;
        },
      });
    };
    Object.defineProperty(globalThis, symbol, { value: make, configurable: true });
    try {
      const p = playground({ updates: 8 });
      assert.deepEqual(Object.keys(clicks), ["run", "pause", "step", "back", "restart", asInRule]);
      const [curve, , panel] = beside as [object, object, object];
      let drawn = 0;
      (panel as Record<symbol, (notify: () => void) => () => void>)[live]!(() => drawn++);
      move({ recipe: "rloo" }, "recipe");
      await p.run();
      assert.ok(drawn >= 8);
      assert.match(textOf(curve), / rloo: -?\d\.\d+ after update 5; the exact optimum is 1\.000/);
      assert.match(textOf(panel), /paused: LookUp-v0, rloo, update 8 of 8/);
      // The slider has gone from grpo's learning rate to rloo's, and that is no change of the row.
      assert.equal(page.learningRate, 0.1);
      assert.match(textOf(panel), /the rule as it stands in the table/);
      move({ recipe: "grpo" }, "recipe");
      clicks.restart!();
      await p.run(5);
      assert.match(textOf(curve), / rloo: .* after update 5, grpo: /);
    } finally {
      Reflect.deleteProperty(globalThis, symbol);
    }
  });

  it("escapes what agent and environment say", () => {
    const state = {
      status: "<b>",
      problem: "a < b",
      waiting: "",
      changes: "",
      metrics: { "reward/std": 0.25 },
      highest: { "reward/std": 0.5 },
      alarms: [],
      dialogues: [{ lines: [{ speaker: "agent" as const, text: "<script>" }], reward: 1 }],
    };
    const html = noticeHtml(state) + panelHtml(state);
    assert.doesNotMatch(html, /<script>|<b>/);
    assert.match(html, /role="alert"/);
    assert.equal(meter(0.25, 0.5), "████░░░░");
    assert.equal(meter(1, 0), "░░░░░░░░");
  });
});
