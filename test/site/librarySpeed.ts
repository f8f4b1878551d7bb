import { median, train, type TrainOptions } from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { LibraryPage } from "./libraryPage.js";

const rows: Readonly<Record<string, TrainOptions>> = {
  table: { env: "LookUp-v0", recipe: "grpo", updates: 400 },
  "log-linear": { env: "LookUp-v0", recipe: "grpo", updates: 100, policy: { kind: "logLinear" } },
  mlp: { env: "LookUp-v0", recipe: "grpo", updates: 60, policy: { kind: "mlp" } },
  gru: { env: "LookUp-v0", recipe: "grpo", updates: 40, policy: { kind: "gru" } },
  transformer: { env: "LookUp-v0", recipe: "grpo", updates: 20, policy: { kind: "transformer" } },
};

/** Updates a second. */
async function pace(run: AsyncIterable<unknown>, updates: number): Promise<number> {
  const begun = performance.now();
  for await (const _ of run);
  return (1000 * updates) / (performance.now() - begun);
}

/** Medians of several rounds in which Node and an isolated page take turns. */
export async function speeds(rounds: number): Promise<{ name: string; node: number; page: number }[]> {
  const site = await LibraryPage.open(undefined, true);
  // The same kind of kernels on both sides, as a newer Node has the faster one too.
  const relaxed = fusedReport().kind === "wasm relaxed";
  const there = (options: TrainOptions): Promise<number> =>
    site.run(
      async ({ load, setUp }, given) => {
        setUp({ relaxed: given.relaxed });
        const { train } = await load<typeof import("turnwise")>("turnwise");
        const begun = performance.now();
        for await (const _ of train(given.options));
        return (1000 * given.options.updates) / (performance.now() - begun);
      },
      { options, relaxed },
    );
  const found = [];
  for (const [name, options] of Object.entries(rows)) {
    const [node, page]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const both = [await pace(train(options), options.updates), await there(options)];
      // The first round compiles.
      if (round === 0) continue;
      node.push(both[0]!);
      page.push(both[1]!);
    }
    found.push({ name, node: median(node), page: median(page) });
  }
  await site.close();
  return found;
}
