import assert from "node:assert/strict";
import type { KernelClient } from "turnwise-kernel";
import { TypeService } from "turnwise-kernel/dist/front/type-service.js";
import { notebookFiles } from "./notebook-files.js";
import { resultText, runIn, startKernel, temporaryFolder } from "./with-kernel.js";

describe("a cell that begins with %%module", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let kernel: KernelClient;
  before(async () => {
    kernel = await startKernel({ cwd: folder() });
  });
  after(() => kernel.shutdown());

  const run = runIn(() => kernel);
  const value = async (code: string): Promise<string | undefined> => resultText(await run(code));
  const files = notebookFiles(() => kernel, folder);

  it("is known to a type service that had to be started again, as the file is now", async () => {
    const types = new TypeService(folder());
    const prepare = (code: string): Promise<unknown> =>
      types
        .ask("prepare", { code, name: "cell.ts", expressions: {} })
        .then((answer) => answer.ok || answer.error.evalue);
    assert.equal(await prepare("%%module restored.ts\nexport const one = 1;"), true);
    await files.write("restored.ts", "export const two = 'two';");
    process.kill(types.pid!, "SIGKILL");
    await types.ask("isComplete", { code: "1" }).catch(() => undefined);
    assert.equal(await prepare("two.length"), true);
    assert.match(String(await prepare("one")), /TS2304/);
    types.stop();
  });

  it("registers a world again when its module has changed", async () => {
    const module = (length: number): string =>
      `%%module maze.ts\nimport { make, register } from "turnwise";\nregister("OwnMaze-v0", () => make("TMaze-v0", { length: ${length} }));`;
    const turns = 'make("OwnMaze-v0").spec.maxTurns';
    await run(module(3));
    const [three] = [await value(`import { make, register } from "turnwise"; ${turns}`)];
    await run(module(7));
    assert.notEqual(await value(turns), three);
  });

  it("finds the library that the notebook uses, as one instance", async () => {
    await run('%%module world.ts\nimport { createRng } from "turnwise";\nexport const mine = createRng;');
    assert.equal(await value('import { createRng } from "turnwise"; createRng === mine'), "true");
  });
});
