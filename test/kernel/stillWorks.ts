import assert from "node:assert/strict";
import type { KernelClient } from "turnwise-kernel";
import { plain, resultText, streamText } from "./with-kernel.js";

/** What a session must still do. */
export async function stillWorks(kernel: KernelClient): Promise<void> {
  const run = async (code: string): ReturnType<KernelClient["execute"]> => {
    const result = await kernel.execute(code);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return result;
  };
  await run('import { recipe, train } from "turnwise"; import fs from "node:fs";');
  // What the cells have declared stands for everything else, `globalThis` included.
  await run(
    "const { console: out, setTimeout: later, Promise: Later, Error: Failure } = [].constructor.constructor('return this')();",
  );
  const trained = await run(
    "for await (const r of train({ env: 'LookUp-v0', recipe: 'grpo', updates: 2 })) out.log(r.update);",
  );
  assert.equal(streamText(trained), "1\n2\n");
  assert.match(resultText(await run("[{ a: 1, b: 'x' }, { a: 2, b: 'y' }]"))!, /b: 'x'/);
  await run("display([{ a: 1 }]); out.log(`${[1, 2].map((x) => x + 1)}`);");
  assert.equal(
    streamText(
      await run(
        "await 0; [3].forEach((x) => out.error(x)); await new Later((go) => later(go, 5)); out.log(0 / 0);",
      ),
    ),
    "NaN\n",
  );
  const failed = await kernel.execute("function fail() { throw new Failure('said'); }\nfail();");
  assert.match(plain(failed.error?.traceback), /Error: said[^]*at fail \(cell_/);
  const { content } = await kernel.request("shell", "complete_request", { code: "[1].fil", cursor_pos: 7 });
  assert.ok((content.matches as string[]).includes("filter"));
}
