import assert from "node:assert/strict";
import { stillWorks } from "./stillWorks.js";
import { plain, resultText, startKernel, temporaryFolder } from "./with-kernel.js";

describe("a name of the engine's or of Node's that a cell declares", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it("is what it is in a file, with types: a replay buffer, a map, the modules of effect", async () => {
    const kernel = await startKernel({ cwd: folder() });
    try {
      const run = async (code: string): Promise<string | undefined> => {
        const result = await kernel.execute(code);
        assert.equal(result.status, "ok", plain(result.error?.traceback));
        return resultText(result);
      };
      await run(
        "class Buffer { items: number[] = []; push(x: number) { this.items.push(x); return this; } }",
      );
      assert.equal(await run("new Buffer().push(3).items.length"), "1");
      assert.equal(await run("Buffer.name"), "'Buffer'");
      assert.equal(
        await run("const { Map, ...others } = { Map: 1, Set: 2 }; [Map, others.Set, { Map }.Map].join()"),
        "'1,2,1'",
      );
      assert.equal(await run("function f(Map: number) { return { Map }; } f(5).Map + Map"), "6");
      assert.equal(await run("globalThis.Map === new globalThis.Map().constructor"), "true");
      assert.equal(await run("interface Set { a: number } const s: Set = { a: 1 }; s.a"), "1");
      assert.equal(await run("[...new globalThis.Set([1])].length"), "1");
      await stillWorks(kernel);
    } finally {
      await kernel.shutdown();
    }
  });
});
