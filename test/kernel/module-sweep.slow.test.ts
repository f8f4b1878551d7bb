import assert from "node:assert/strict";
import { turnwise } from "../support/command.js";
import { sweptModule } from "./sweptModule.js";
import { resultText, streamText, temporaryFolder } from "./with-kernel.js";

describe("a module of the notebook on worker threads", function () {
  this.timeout(180_000);
  const folder = temporaryFolder();
  const { files, run, value, refusal } = sweptModule(folder);

  it("sweeps its pieces, world and policy over two threads as in this one, bit by bit", async () => {
    await run(
      'const threads = await sweep({ ...plan, recipe: ["rloo", row], workers: 2, file: "out.jsonl" });',
    );
    await run('const here = await sweep({ ...plan, recipe: ["rloo", row], workers: 0 });');
    assert.equal(await value("[threads.results.length, bits(threads) === bits(here)].join()"), "'6,true'");
    assert.equal(await value("threads.results[1].key"), `'recipe=rloo{advantage.by="squared"} seed=0'`);
    const [head] = (await files.read("out.jsonl")).split("\n");
    assert.deepEqual((JSON.parse(head!) as { plan: { modules: unknown } }).plan.modules, ["./mine.ts"]);
  });

  it("trains its seeds on two threads as in this one, bit by bit", async () => {
    const code = (workers: number): string =>
      `(await trainSeeds({ env: plan.env, policy: linear, recipe: row, updates: 3 }, 4, { workers: ${workers} })).final("reward/mean").values.join()`;
    assert.equal(await value(code(2)), await value(code(0)));
  });

  it("goes on with earlier seeds after its cell has run again, and refuses another text", async () => {
    const text = (power: number, remark = ""): string =>
      `%%module bent.ts
// ${remark}
import { autodiffPolicy, custom, recipe } from "turnwise";
export const bent = recipe("rloo", { advantage: custom("bent", (batch) => {
  const squared: number[] = [];
  for (const R of batch.return_n) squared.push(R ** ${power});
  return squared;
}) });
export const own = autodiffPolicy({
  parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
  logits: (tf, { W }, x) => tf.matMul(x.features, W),
});`;
    const call = (seeds: number, how: string): string =>
      `await trainSeeds({ env: "LookUp-v0", recipe: bent, policy: own, updates: 3 }, ${seeds}, { ${how} })`;
    await run(text(2));
    await run(`const before = { bent, own, runs: ${call(1, "workers: 0")} };`);
    await run(text(2, "a remark, so that the module is loaded again"));
    assert.equal(await value("[before.bent === bent, before.own === own].join()"), "'false,false'");
    assert.equal(await value(`(${call(3, "resume: before.runs, workers: 0")}).seeds.join()`), "'0,1,2'");
    await run(text(3));
    assert.equal(
      await refusal(call(3, "resume: before.runs")),
      "Cannot go on with these seeds: the setting must be the one that they were trained with, but " +
        'it has another recipe (the text of advantage "bent" has changed).',
    );
  });

  it("has the new version on the threads once its cell has run again, and once the file was edited", async () => {
    const fresh =
      'bits(await sweep({ recipe: sharp, env: "LookUp-v0", updates: 3, groups: 2, groupSize: 4, seeds: 3, workers: 2 }))';
    const text = (power: number): string =>
      `import { custom, recipe } from "turnwise";
export const sharp = recipe("rloo", { advantage: custom("power", (batch) => batch.return_n.map((R) => R ** ${power} - 0.${power})) });`;
    await run(`%%module again.ts\n${text(1)}`);
    const first = await value(fresh);
    await run(`%%module again.ts\n${text(2)}`);
    const second = await value(fresh);
    assert.notEqual(second, first);
    await files.write("again.ts", text(1));
    const third = await run(fresh);
    assert.equal(streamText(third, "stderr"), "again.ts has changed and is imported again\n");
    assert.equal(resultText(third), first);
  });

  it("opens files in the folder that %cd has chosen, on the threads as in this one", async () => {
    await run(`%%module reads.ts
import { readFileSync } from "node:fs";
import { custom, recipe } from "turnwise";
export const reads = recipe("rloo", { advantage: custom("read", (batch) => {
  const factor = Number(readFileSync("factor.txt", "utf8"));
  return batch.return_n.map((R) => factor * R);
}) });`);
    await run(`import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("inner");
writeFileSync("inner/factor.txt", "3");`);
    const call = (workers: number): string =>
      `bits(await sweep({ recipe: reads, env: "LookUp-v0", updates: 2, seeds: 2, workers: ${workers} }))`;
    await run("%cd inner");
    try {
      const threads = await value(call(2));
      assert.equal(threads, await value(call(0)));
      assert.match(threads!, /seed=1",\{/);
    } finally {
      await run("%cd -");
    }
  });

  it("knows a file that a cell imports, too, and says when it has changed since", async () => {
    const text = (power: number): string =>
      `import { custom, recipe } from "turnwise";
export const byHand = recipe("rloo", { advantage: custom("by hand", (batch) => batch.return_n.map((R) => R ** ${power})) });`;
    await files.write("hand.ts", text(2));
    await run('import { byHand } from "./hand";');
    const code = (workers: number): string =>
      `bits(await sweep({ recipe: byHand, env: "LookUp-v0", updates: 2, seeds: 2, workers: ${workers} }))`;
    assert.equal(await value(code(2)), await value(code(0)));
    await files.write("hand.ts", text(3));
    assert.equal(
      await refusal(code(2)),
      "Cannot sweep on other threads: they must know everything that a setting names, but hand.ts has changed since it was imported; " +
        "run the cell that imports it again, or run the jobs in this thread (workers: 0).",
    );
  });

  it("says what lives only in a cell, and the line to add", async () => {
    await run(
      'const own = recipe("grpo", { advantage: custom("surprise", (batch) => [...batch.return_n]) });',
    );
    const remedy =
      'the function "surprise" lives only in a cell; begin its cell with the line "%%module mine.ts" and export it ' +
      '("export const surprise = custom("surprise", ...)"), or ';
    assert.equal(
      await refusal('await sweep({ recipe: own, env: "LookUp-v0", updates: 2, seeds: 2 })'),
      `Cannot sweep on other threads: they must know everything that a setting names, but ${remedy}run the jobs in this thread (workers: 0).`,
    );
    assert.equal(
      await refusal('await trainSeeds({ recipe: own, env: "LookUp-v0", updates: 2 }, 3, { workers: 2 })'),
      `Cannot train on 2 workers: they must know everything that the setting names, but ${remedy}leave workers out to train in this thread.`,
    );
    assert.equal(
      await value(
        '(await sweep({ recipe: own, env: "LookUp-v0", updates: 2, seeds: 2, workers: 0 })).results.length',
      ),
      "2",
    );
    assert.equal(
      await value('(await trainSeeds({ recipe: own, env: "LookUp-v0", updates: 2 }, 3)).seeds.length'),
      "3",
    );
  });

  it("gives the same bits when the command turnwise runs a plan that names it", async () => {
    await run(
      `import { writeFileSync } from "node:fs";
       const settings = { recipe: ["rloo", row], env: "MyLookUp-v0", updates: 3, groups: 2, groupSize: 4, seeds: 3 } as const;
       writeFileSync("plan.json", JSON.stringify({ ...settings, modules: ["./mine.ts"] }));
       const cells = await sweep(settings);`,
    );
    const { code, stderr } = await turnwise(["sweep", "plan.json", "--workers", "2"], { cwd: folder() });
    assert.equal(code, 0, stderr);
    assert.equal(
      await value('import { merge } from "turnwise"; bits(merge(["plan.jsonl"])) === bits(cells)'),
      "true",
    );
  });
});
