import assert from "node:assert/strict";
import { join } from "node:path";
import { offeredIn, refusalIn } from "./hinted.js";
import { plain, repository, resultText, sharedKernel } from "./with-kernel.js";

describe("errors that one can act on", function () {
  this.timeout(90_000);
  const kernel = sharedKernel({ cwd: join(repository, "notebooks") });

  const refusal = refusalIn(kernel);
  const setting = `env: "LookUp-v0", recipe: "grpo", updates: 2`;

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
      /TypeError: Cannot draw a learning curve: .*, got a promise \(did you forget await\?\)/,
    );
  });

  it("refuse an option by its name, and say where it stands", async () => {
    const learningRate = await refusal(`train({ ${setting}, learningRate: 3 })`);
    assert.match(
      learningRate,
      /'learningRate' does not exist in type '\{ [^']{1,80}, \.\.\. \}'\./,
      "no type over three lines",
    );
    assert.match(learningRate, /recipe\("grpo", \{ update: \{ optimizer: \{ learningRate: 3 \} \} \}\)\n/);
    assert.match(
      await refusal(`recipe("grpo", { clipHigh: 0.3 })`),
      /It stands deeper in a rule's row: recipe\("grpo", \{ gate: \{ clipHigh: 0\.3 \} \}\)/,
    );
    assert.match(await refusal(`train({ ${setting}, groupsize: 3 })`), /groupSize/);
  });

  it("name the nearest of the words that may stand there", async () => {
    assert.match(await refusal(`recipe("gprpo")`), /Did you mean "grpo"\?/);
    assert.match(await refusal(`recipe("grpo", { advantage: "leaveoneout" })`), /leaveOneOut/);
    assert.match(
      await refusal(`make(1)`),
      /Argument of type '1' is not assignable to parameter of type '"BiArmBandit-v0" \| "MatrixChain-v0" \| "LookUp-v0" \| \.\.\.'\./,
    );
    assert.match(await refusal(`make("LookUpp-v0")`), /Did you mean "LookUp-v0"\?/);
    assert.match(
      await refusal(`make("LookUp-v0", { fact: 3 })`),
      /unknown option "fact"\.\nDid you mean "facts"\?/,
    );
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

  const offered = offeredIn(kernel);

  before(async () => {
    await kernel().execute(
      `import { learningCurve, make, recipe, sweep, sweepTable, train, trainSeeds } from "turnwise";`,
    );
  });

  it("completes the names of rules, the choices of a row and their values", async () => {
    for (const text of ['recipe("|")', 'train({ recipe: "|" })', 'sweep({ recipe: ["|"] })'])
      assert.ok((await offered(text)).matches.includes("seeUpo"), text);
    assert.ok((await offered('recipe("grpo", { advantage: "|" })')).matches.includes("leaveOneOut"));
    assert.ok((await offered('recipe("grpo", { gate: { | } })')).matches.includes("clipHigh"));
    assert.deepEqual((await offered('recipe("grpo", { update: { optimizer: "|" } })')).matches, [
      "adam",
      "sgd",
    ]);
  });

  it("completes what help answers to", async () => {
    const { matches } = await offered('help("|');
    for (const name of ["LookUp-v0", "grpo", "policy/entropy", "groupSize", "trainSeeds"])
      assert.ok(matches.includes(name), name);
    assert.deepEqual((await offered('help("Look|")')).matches, ["LookUp-v0"]);
  });
});
