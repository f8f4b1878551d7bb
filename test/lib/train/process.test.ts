import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { root } from "../../support/paths";

const program = `
  const { train } = require(${JSON.stringify(path.join(root, "lib", "turnwise"))});
  (async () => {
    const runs = [
      { env: "ToolChain-v0", policy: { kind: "logLinear", beta: 3 }, recipe: "seeUpo" },
      { env: "Codebreaker-v0", policy: { syntaxPrior: 2 }, recipe: "ppo", evalEvery: 2, evalEpisodes: 8 },
      { env: "LookUp-v0", policy: { kind: "transformer", width: 8 }, recipe: "grpo" },
    ];
    for (const options of runs) {
      for await (const { seconds, ...record } of train({ ...options, updates: 4, groups: 4, groupSize: 4, seed: 11 })) {
        console.log(JSON.stringify(record));
      }
    }
  })();`;

describe("the same seed in two processes", () => {
  it("gives the same records, to the last bit", async () => {
    const run = async (): Promise<string> =>
      (await promisify(execFile)(process.execPath, ["-e", program])).stdout;
    const [first, second] = await Promise.all([run(), run()]);
    assert.equal(first.trim().split("\n").length, 12);
    assert.equal(second, first);
  }).timeout(120_000);
});
