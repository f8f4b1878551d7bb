import assert from "node:assert/strict";
import { join } from "node:path";
import { plain, repository, resultText, sharedKernel } from "./with-kernel.js";

describe("errors that one can act on", function () {
  this.timeout(90_000);
  const kernel = sharedKernel({ cwd: join(repository, "notebooks") });

  /** What the reader of a refused cell sees. */
  const refusal = async (code: string): Promise<string> => {
    const { status, error } = await kernel().execute(code);
    assert.equal(status, "error", code);
    return plain(error?.traceback);
  };
  const setting = `env: "LookUp-v0", recipe: "grpo", updates: 2`;

  it("say where a name that was not imported comes from", async () => {
    assert.match(
      await refusal(`trainSeeds({ ${setting} }, 3)`),
      /^cell_\d+\.ts:1:1 - TS2304: Cannot find name 'trainSeeds'\. Import it: import \{ trainSeeds \} from "turnwise"\n/,
    );
    assert.match(await refusal("exactRule"), /Import it: import \{ exactRule \} from "turnwise\/exact"/);
    // Of Node's own modules, too: the one that gives promises first, and the whole one by its own name.
    assert.match(await refusal("readFileSync('x')"), /Import it: import \{ readFileSync \} from "node:fs"\n/);
    assert.match(
      await refusal("readFile('x')"),
      /Import it: import \{ readFile \} from "node:fs\/promises"\n/,
    );
    assert.match(await refusal("path.join('a')"), /Import it: import \* as path from "node:path"\n/);
    assert.match(
      await refusal("new EventEmitter()"),
      /Import it: import \{ EventEmitter \} from "node:events"\n/,
    );
    assert.match(await refusal("const x = nowhereAtAll"), /Cannot find name 'nowhereAtAll'\.\n/);
  });

  it("ask after a forgotten await", async () => {
    await kernel().execute(
      `import { learningCurve, make, recipe, sweep, train, trainSeeds } from "turnwise"`,
    );
    assert.match(
      await refusal(`trainSeeds({ ${setting} }, 2).runs`),
      /Property 'runs' does not exist on type 'Promise<SeedRuns>'\. Did you forget await\?\n/,
    );
    assert.match(
      await refusal(`learningCurve(trainSeeds({ ${setting} }, 2), { metric: "reward/mean" })`),
      /Argument of type 'Promise<SeedRuns>'[^]*Did you forget await\?\n/,
    );
    assert.match(
      await refusal(`for (const record of train({ ${setting} })) record`),
      /It gives its values one after the other: write for await \(const one of \.\.\.\)\n/,
    );
    assert.match(
      await refusal("for (const one of Promise.resolve([1])) one"),
      /must have a '\[Symbol.iterator\]\(\)' method that returns an iterator\. Did you forget await\?\n/,
    );
    await kernel().execute("%types strict");
    assert.match(
      await refusal("async function isReady() { return true }\nif (isReady()) 1"),
      /since this 'Promise<boolean>' is always defined\. Did you forget await\?\n/,
    );
    await kernel().execute("%types error");
    // Without `strict`, TypeScript itself does not say so.
    for (const [cell, at] of [
      ["if (isReady()) 1", 5],
      ["let tries = 0\nwhile (tries++ < 1 && !isReady()) ;", 24],
      ["const word = isReady() ? 'yes' : 'no'", 14],
    ] as const)
      assert.match(
        await refusal(`async function isReady() { return true }\n${cell}`),
        new RegExp(
          `^cell_\\d+\\.ts:\\d:${at} - TS2801: This condition will always return true since this 'Promise<boolean>' is always defined\\. Did you forget await\\?\n`,
        ),
        cell,
      );
    // One that may be missing, or is awaited, is a fair question.
    const fair = await kernel().execute(
      "async function isReady() { return true }\nfunction maybe(): Promise<number> | undefined { return undefined }\n" +
        "if (maybe()) 1\nif (await isReady()) 2\nconst held = isReady(); if (held) 3",
    );
    assert.equal(fair.status, "ok", plain(fair.error?.traceback));
    assert.match(
      await refusal(`learningCurve(trainSeeds({ ${setting} }, 2) as never, { metric: "reward/mean" })`),
      /TypeError: Cannot draw a learning curve as .*: current value is a promise: did you forget await\?/,
    );
  });

  it("refuse an option by its name, and say where it stands", async () => {
    const learningRate = await refusal(`train({ ${setting}, learningRate: 3 })`);
    assert.match(
      learningRate,
      /'learningRate' does not exist in type '\{ [^']{1,80}, \.\.\. \}'\./,
      "no type over three lines",
    );
    assert.match(learningRate, /recipe\("grpo", \{ update: \{ optimiser: \{ learningRate: 3 \} \} \}\)\n/);
    assert.match(
      await refusal(`recipe("grpo", { clipHigh: 0.3 })`),
      /It stands deeper in a rule's row: recipe\("grpo", \{ gate: \{ clipHigh: 0\.3 \} \}\)/,
    );
    assert.match(await refusal(`train({ ${setting}, groupsize: 3 })`), /groupSize/);
  });

  it("refuse it by its name also where it comes from JSON or a variable", async () => {
    assert.match(
      await refusal(
        `train(JSON.parse('{ "env": "LookUp-v0", "recipe": "grpo", "updates": 2, "group_size": 3 }'))`,
      ),
      /got group_size; did you mean "groupSize"\?/,
    );
    assert.match(
      await refusal(`const typed = { ${setting}, learningRate: 3 } as const; train(typed)`),
      /got learningRate; it belongs to the recipe: recipe\("grpo", \{ update: \{ optimiser: \{ learningRate: 3 \} \} \}\)/,
    );
    assert.match(
      await refusal(`sweep(JSON.parse('{ "env": "LookUp-v0", "recipe": "grpo", "update": 2, "seeds": 1 }'))`),
      /got update; did you mean "updates"\?/,
    );
    assert.match(
      await refusal(`const loose = { ${setting} }; train(loose)`),
      /write the object with as const behind it, \{ \.\.\. \} as const/,
    );
  });

  it("name the nearest of the words that may stand there", async () => {
    assert.match(await refusal(`recipe("gprpo")`), /Did you mean "grpo"\?/);
    assert.match(await refusal(`recipe("grpo", { advantage: "leaveoneout" })`), /leaveOneOut/);
    assert.match(
      await refusal(`make(1)`),
      /Argument of type '1' is not assignable to parameter of type '"BiArmBandit-v0" \| "MatrixChain-v0" \| "LookUp-v0" \| \.\.\.'\./,
    );
    assert.match(await refusal(`make("LookUpp-v0")`), /did you mean "LookUp-v0"\?/);
    assert.match(await refusal(`make("LookUp-v0", { fact: 3 })`), /got fact; did you mean "facts"\?/);
  });

  it("show the line of the cell, however deep in the library they are thrown", async () => {
    const deep = await refusal(
      `const first = 1;\nrecipe("grpo", JSON.parse('{ "update": { "optimiser": { "kind": "adam", "learningrat": 3 } } }'))`,
    );
    assert.match(
      deep,
      /learningrat; did you mean "learningRate"\?\n {2}1 \| const first = 1;\n {2}2 \| recipe\("grpo"/,
    );
    assert.match(deep, /\n {4}\.\.\. \d+ more\n {4}at cell_\d+\.ts:2:1$/);
    const later = await refusal(
      `const two = 2;\nawait Promise.all([1].map(async () => { await null; throw new TypeError("later"); }))`,
    );
    assert.match(later, /^TypeError: later\n {2}1 \| const two = 2;\n {2}2 \| await/);
  });

  it("do not stand in the way of running a cell twice", async () => {
    const code = `import { register } from "turnwise";\nregister("Mine-v0", () => make("LookUp-v0"))`;
    assert.equal(resultText(await kernel().execute(code)), 'Registered "Mine-v0".');
    assert.match(resultText(await kernel().execute(code))!, /^Replaced "Mine-v0"/);
    assert.equal((await kernel().execute(`make("LookUp-v0"); make("LookUp-v0")`)).status, "ok");
  });
});

describe("Tab inside quotes and options", function () {
  this.timeout(90_000);
  const kernel = sharedKernel({ cwd: join(repository, "notebooks") });

  /** What Tab offers at the bar, and the text that it would replace. */
  const offered = async (text: string): Promise<{ matches: string[]; replaced: string }> => {
    const [before, after = ""] = text.split("|") as [string, string?];
    const code = before + after;
    const { content } = await kernel().request("shell", "complete_request", {
      code,
      cursor_pos: before.length,
    });
    const {
      matches,
      cursor_start: start,
      cursor_end: end,
    } = content as {
      matches: string[];
      cursor_start: number;
      cursor_end: number;
    };
    return { matches, replaced: code.slice(start, end) };
  };

  before(async () => {
    await kernel().execute(
      `import { learningCurve, make, recipe, sweep, sweepTable, train, trainSeeds } from "turnwise";`,
    );
  });

  it("completes the ids of worlds, with a quote that is open or closed, half typed or not", async () => {
    for (const text of [
      "make('|')",
      "make('|",
      "train({ env: '|' })",
      'trainSeeds({ env: "|" }, 3)',
      "sweep({ env: '|' })",
    ]) {
      const { matches } = await offered(text);
      assert.equal(matches.length, 16, text);
      assert.ok(matches.includes("LookUp-v0"), text);
    }
    assert.deepEqual(await offered('make("Look|")'), { matches: ["LookUp-v0"], replaced: "Look" });
    assert.deepEqual(await offered('make("LookUp-v|")'), { matches: ["LookUp-v0"], replaced: "LookUp-v" });
  });

  it("completes the names of rules, the choices of a row and their values", async () => {
    for (const text of ['recipe("|")', 'train({ recipe: "|" })', 'sweep({ recipe: ["|"] })'])
      assert.ok((await offered(text)).matches.includes("seeUpo"), text);
    assert.ok((await offered('recipe("grpo", { advantage: "|" })')).matches.includes("leaveOneOut"));
    assert.ok((await offered('recipe("grpo", { gate: { | } })')).matches.includes("clipHigh"));
    assert.deepEqual((await offered('recipe("grpo", { update: { optimiser: "|" } })')).matches, [
      "adam",
      "sgd",
    ]);
  });

  it("completes the options of train and of a world", async () => {
    assert.ok((await offered("train({ | })")).matches.includes("groupSize"));
    const { matches, replaced } = await offered('make("LookUp-v0", { | })');
    assert.deepEqual(matches, [
      "facts",
      "maxTurns",
      "passReward",
      "toolReliability",
      "turnCost",
      "wrongPenalty",
    ]);
    assert.equal(replaced, "");
    assert.ok((await offered('train({ policy: { kind: "|" } })')).matches.includes("transformer"));
  });

  it("completes metric names, past their slash as well", async () => {
    assert.ok((await offered('learningCurve([], { metric: "|" })')).matches.includes("return/exact"));
    assert.ok((await offered('sweep({ metric: "|" })')).matches.includes("return/exact"));
    assert.deepEqual(await offered('for await (const { metrics } of train({})) metrics["policy/cl|"]'), {
      matches: [
        "policy/clipBiasNorm",
        "policy/clipFrac",
        "policy/clipFracDual",
        "policy/clipFracHigh",
        "policy/clipFracLow",
      ],
      replaced: "policy/cl",
    });
  });

  it("completes what help answers to", async () => {
    const { matches } = await offered('help("|');
    for (const name of ["LookUp-v0", "grpo", "policy/entropy", "groupSize", "trainSeeds"])
      assert.ok(matches.includes(name), name);
    assert.deepEqual((await offered('help("Look|")')).matches, ["LookUp-v0"]);
  });
});
