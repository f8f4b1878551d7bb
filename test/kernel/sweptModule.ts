import assert from "node:assert/strict";
import type { ExecuteResult, KernelClient } from "turnwise-kernel";
import { notebookFiles, type NotebookFiles } from "./notebook-files.js";
import { plain, resultText, startKernel } from "./with-kernel.js";

/** A kernel whose notebook has the module mine.ts: a row, a policy and a world to be swept. */
export function sweptModule(folder: () => string): {
  readonly files: NotebookFiles;
  /** Runs a cell that must end well. */
  run(code: string): Promise<ExecuteResult>;
  /** The text of such a cell's result. */
  value(code: string): Promise<string | undefined>;
  /** The message of the error of a cell. */
  refusal(code: string): Promise<string>;
} {
  let kernel: KernelClient;
  before(async () => {
    kernel = await startKernel({ cwd: folder() });
    await run(
      `%%module mine.ts
import { autodiffPolicy, custom, make, recipe, register } from "turnwise";

export const row = recipe("rloo", {
  advantage: custom("squared", (batch) => batch.return_n.map((R) => R * R)),
});
export const linear = autodiffPolicy({
  parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
  logits: (tf, { W }, x) => tf.matMul(x.features, W),
});
register("MyLookUp-v0", (options) => make("LookUp-v0", options));`,
    );
    await run(
      `import { custom, recipe, sweep, trainSeeds } from "turnwise";
       const plan = { env: "MyLookUp-v0", policy: linear, updates: 3, groups: 2, groupSize: 4, seeds: 3 } as const;
       const bits = ({ results }: { results: readonly { key: string; value: unknown }[] }): string =>
         JSON.stringify(results.map(({ key, value }) => [key, value]));`,
    );
  });
  after(() => kernel.shutdown());
  const files = notebookFiles(() => kernel, folder);

  async function run(code: string): Promise<ExecuteResult> {
    const result = await kernel.execute(code);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return result;
  }
  const value = async (code: string): Promise<string | undefined> => resultText(await run(code));
  const refusal = async (code: string): Promise<string> =>
    (await kernel.execute(code)).error?.evalue ?? "none";
  return { files, run, value, refusal };
}
