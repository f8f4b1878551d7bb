import assert from "node:assert/strict";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { resultText, sharedKernel, temporaryFolder } from "./with-kernel.js";

describe("a kernel on tslab's converter", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_ENGINE: "tslab" } });
  const apart = (): Promise<KernelClient> =>
    startKernel({ cwd: folder(), env: { ...process.env, TURNWISE_ENGINE: "tslab" } });

  it("checks with it, and still runs cells with live bindings", async () => {
    await kernel().execute("let lr = 0.1; function step() { return lr }");
    assert.equal(resultText(await kernel().execute("lr = 0.01; step()")), "0.01");
    assert.match((await kernel().execute("lr = 'no'")).error!.evalue, /TS2322/);
  });

  it("knows the exports of a cell with %%module", async () => {
    const own = await apart();
    try {
      await own.execute(
        "%%module mine.ts\nexport interface Box { n: number }\nexport const one: number = 1;",
      );
      assert.equal(resultText(await own.execute("const box: Box = { n: one }; box.n")), "1");
      await own.execute("%%module mine.ts\nexport const one: number = 2;");
      assert.equal(resultText(await own.execute("one")), "2");
      assert.match((await own.execute("const s: string = one")).error!.evalue, /TS2322/);
    } finally {
      await own.shutdown();
    }
  });
});
