import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { median } from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { root } from "../support/paths.js";
import { LibraryPage } from "./libraryPage.js";
import { loaded, rowsAsked, trainings } from "./trainings.js";

/** How often a row is trained in one kernel: engines compile what is hot, and most of it only while it runs. */
const isEnough = (ms: readonly number[]): boolean => ms.length >= 10 || (ms.length >= 3 && sum(ms) > 2_000);

/** Trains a row once, and gives the milliseconds that it took. */
type Host = () => Promise<number>;

interface Started {
  readonly train: Host;
  close(): Promise<void>;
}

/** A new process of Node. */
async function onNode(row: string): Promise<Started> {
  const child = fork(path.join(root, "build", "test", "site", "speedOnNode.js"), [row]);
  const answer = async (): Promise<unknown> => ((await once(child, "message")) as [unknown])[0];
  await answer();
  return {
    train: async () => {
      const told = answer();
      child.send("train");
      return (await told) as number;
    },
    close: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

/** A new worker of a page, with the same kind of kernels as Node, as a newer Node has the faster one too. */
async function inPage(site: LibraryPage, row: string): Promise<Started> {
  await site.reload();
  await site.run(
    async ({ load, setUp }, given) => {
      setUp({ relaxed: given.relaxed });
      for (const name of given.loaded) await load(name);
    },
    { relaxed: fusedReport().kind === "wasm relaxed", loaded },
  );
  const { run, options } = trainings[row]!;
  return {
    train: async () => {
      const begun = performance.now();
      await site.run(run, options);
      return performance.now() - begun;
    },
    close: () => Promise.resolve(),
  };
}

/** What one new kernel on each host took, in turns. */
async function visit(site: LibraryPage, row: string): Promise<{ node: number[]; page: number[] }> {
  const hosts = [await onNode(row), await inPage(site, row)] as const;
  const [node, page]: [number[], number[]] = [[], []];
  while (!isEnough(node)) {
    node.push(await hosts[0].train());
    page.push(await hosts[1].train());
  }
  for (const host of hosts) await host.close();
  return { node, page };
}

const sum = (ms: readonly number[]): number => ms.reduce((all, one) => all + one, 0);
const later = (ms: readonly number[]): number => median(ms.slice(ms.length / 2));

/**
 * How fast rows train in a page, as a part of Node's pace: the medians of several visits, each with a new process and a new worker, of
 * the first training, of all, and of those after the first half, when what is hot has been compiled. Gives the table line by line.
 *
 * @throws {RangeError} if no row has such a name
 */
export async function* table(visits: number, asked: readonly string[] = []): AsyncGenerator<string> {
  const rows = rowsAsked(asked);
  const site = await LibraryPage.open(undefined, true);
  yield "| what is trained | first: Node, ms | page, ms | page's pace over Node's | all | later ones |";
  yield "| --- | --- | --- | --- | --- | --- |";
  try {
    for (const row of rows) {
      const found: Awaited<ReturnType<typeof visit>>[] = [];
      for (let count = 0; count < visits; count++) found.push(await visit(site, row));
      const ratio = (of: (ms: readonly number[]) => number): string =>
        median(found.map(({ node, page }) => of(node) / of(page))).toFixed(2);
      const first = [
        median(found.map(({ node }) => node[0]!)).toFixed(0),
        median(found.map(({ page }) => page[0]!)).toFixed(0),
        ratio((ms) => ms[0]!),
      ];
      yield `| ${[row, ...first, ratio(sum), ratio(later)].join(" | ")} |`;
    }
  } finally {
    await site.close();
  }
}
