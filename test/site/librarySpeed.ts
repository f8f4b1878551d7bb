import { median, train, type TrainOptions } from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { lessonSpeeds } from "./lessonSpeed.js";
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
async function speeds(
  site: LibraryPage,
  rounds: number,
): Promise<{ name: string; node: number; page: number }[]> {
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
  return found;
}

/** Updates a second of each kind of policy, and the time that what each lesson trains takes, in Node and in a page. */
export async function tables(rounds: number): Promise<string> {
  const site = await LibraryPage.open(undefined, true);
  const rows = (
    found: { name: string; node: number; page: number }[],
    ratio: (n: number, p: number) => number,
  ) =>
    found.map(
      ({ name, node, page }) =>
        `| ${name} | ${node.toFixed(2)} | ${page.toFixed(2)} | ${ratio(node, page).toFixed(2)} |`,
    );
  try {
    return [
      "| policy | Node, updates/s | page, updates/s | page over Node |",
      "| --- | --- | --- | --- |",
      ...rows(await speeds(site, rounds), (node, page) => page / node),
      "",
      "| lesson | Node, s | page, s | page's pace over Node's |",
      "| --- | --- | --- | --- |",
      ...rows(await lessonSpeeds(site, rounds), (node, page) => node / page),
    ].join("\n");
  } finally {
    await site.close();
  }
}
