import assert from "node:assert/strict";
import { letLibrariesSleep } from "turnwise-kernel/dist/types/registry.js";
import { repository } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

describe("a library that sleeps", function () {
  this.timeout(60_000);

  it("tells a cell the same as one that is awake", () => {
    const cells = [
      'import { recipe } from "turnwise"; const wrong: string = recipe("rloo").advantage',
      'import { readFileSync, type Stats } from "node:fs"; const s: Stats = readFileSync("a")',
      'import * as tf from "@tensorflow/tfjs-core"; const wrong: string = tf.tensor([1]).add(1)',
      'import { missing } from "turnwise"',
      "const port: number = new URL('http://a').port; process.exitCode = {}",
    ];
    const completed = 'import * as path from "node:path"; path.';
    const asked = 'import { inspect } from "node:util"; inspect';
    const answers = (): unknown[] => {
      const engine = checkerIn(repository, {});
      const found = [
        ...cells.map((cell) => engine.check(cell)),
        engine.complete(completed, completed.length),
        engine.inspect(asked, asked.length),
      ];
      engine.close();
      return found;
    };
    const awake = answers();
    for (const found of awake.slice(0, cells.length)) assert.notDeepEqual(found, []);
    letLibrariesSleep();
    assert.deepEqual(answers(), awake);
  });
});
