import assert from "node:assert/strict";
import { worldTemplate } from "turnwise";
import { plain, resultText, sharedKernel } from "./with-kernel.js";

describe("a world in a cell", function () {
  this.timeout(120_000);
  const kernel = sharedKernel();
  const { text } = worldTemplate("Peek-v0");

  async function run(code: string): Promise<string | undefined> {
    const result = await kernel().execute(code);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return resultText(result);
  }

  it("comes from worldTemplate, runs as it is, and shows the card of the world", async () => {
    const shown = await run('import { worldTemplate } from "turnwise";\nworldTemplate("Peek-v0")');
    assert.equal(shown, text);
    const card = await run(text);
    assert.match(card!, /^Peek-v0\nlook before you guess\n✓ keeps the contract/);
    assert.match(card!, /the best agent gets +0\.8, exactly/);
  });

  it("is replaced when the cell runs again, while what was made before stays", async () => {
    await run('const before = make("Peek-v0");');
    const card = await run(text.replace("reward: -0.1", "reward: -0.2"));
    assert.match(card!, /the best agent gets +0\.7, exactly/);
    const code =
      'import { optimalReturn } from "turnwise"; [before, make("Peek-v0")].map((env) => optimalReturn(env).J.toFixed(1))';
    assert.equal(await run(code), "[ '0.8', '0.7' ]");
  });

  it("leaves a note where register stands last", async () => {
    assert.equal(
      await run('register("Peek-v0", () => new GameEnv(peek))'),
      'Replaced "Peek-v0": make and train now use the new version; runs that have begun keep the old one.',
    );
  });

  it("cannot take the name of one of the library's", async () => {
    const result = await kernel().execute('register("Tiger-v0", () => new GameEnv(peek))');
    assert.equal(result.error?.ename, "RangeError");
    assert.match(
      result.error?.evalue ?? "",
      /^Cannot register "Tiger-v0": the library's own worlds cannot be replaced\./,
    );
  });

  it("trains a policy of the same notebook by its forward pass, in eight lines", async () => {
    const code = `import { autodiffPolicy, train } from "turnwise";
const linear = autodiffPolicy({
  parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
  logits: (tf, { W }, x) => tf.matMul(x.features, W),
});
const rewards: number[] = [];
for await (const { metrics } of train({ env: "Peek-v0", policy: linear, recipe: "drGrpo", updates: 60 }))
  rewards.push(metrics["reward/mean"]!);
[rewards.length, rewards.at(-1)! > rewards[0]!]`;
    assert.equal(await run(code), "[ 60, true ]");
  });
});
