import assert from "node:assert/strict";
import { sweptModule } from "./sweptModule.js";
import { temporaryFolder } from "./with-kernel.js";

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

  it("says what lives only in a cell, and the line to add", async () => {
    await run(
      'const own = recipe("grpo", { advantage: custom("surprise", (batch) => [...batch.return_n]) });',
    );
    const remedy =
      'the function "surprise" lives only in a cell; begin its cell with the line "%%module mine.ts" and export it ' +
      '("export const surprise = custom("surprise", ...)"), or ';
    assert.equal(
      await refusal('await sweep({ recipe: own, env: "LookUp-v0", updates: 2, seeds: 2 })'),
      `Cannot sweep on other threads as they must know all that a setting names: ${remedy}run the jobs in this thread (workers: 0)`,
    );
    assert.equal(
      await refusal('await trainSeeds({ recipe: own, env: "LookUp-v0", updates: 2 }, 3, { workers: 2 })'),
      `Cannot train on 2 workers as they must know the whole setting: ${remedy}leave workers out to train in this thread`,
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
});
