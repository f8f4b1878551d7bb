import { median, train, type TrainOptions } from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { lessonSpeeds, trainings } from "./lessonSpeed.js";
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
  names: readonly string[],
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
  for (const name of names) {
    const options = rows[name]!;
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

/**
 * The rows of both tables that are asked for: policies by their whole name, lessons by what begins theirs ("01"). None asks for all.
 *
 * @throws {RangeError} if no row has such a name
 */
export function rowsAsked(asked: readonly string[]): { policies: string[]; lessons: string[] } {
  const policies = Object.keys(rows);
  const lessons = Object.keys(trainings);
  if (asked.length === 0) return { policies, lessons };
  const found = asked.map((name) => {
    const both = {
      policies: policies.filter((policy) => policy === name),
      lessons: lessons.filter((lesson) => lesson === name || lesson.startsWith(`${name} `)),
    };
    if (both.policies.length + both.lessons.length > 0) return both;
    const known = [...policies, ...lessons.map((lesson) => lesson.split(" ")[0]!)];
    throw new RangeError(
      `Cannot measure speeds as a row must be one of ${known.join(", ")}: current value is "${name}"`,
    );
  });
  return {
    policies: policies.filter((policy) => found.some((one) => one.policies.includes(policy))),
    lessons: lessons.filter((lesson) => found.some((one) => one.lessons.includes(lesson))),
  };
}

/** Updates a second of kinds of policy, and the time that what lessons train takes, in Node and in a page. */
export async function tables(rounds: number, asked: readonly string[] = []): Promise<string> {
  const { policies, lessons } = rowsAsked(asked);
  const site = await LibraryPage.open(undefined, true);
  const lines = (
    found: { name: string; node: number; page: number }[],
    ratio: (n: number, p: number) => number,
  ): string[] =>
    found.map(
      ({ name, node, page }) =>
        `| ${name} | ${node.toFixed(2)} | ${page.toFixed(2)} | ${ratio(node, page).toFixed(2)} |`,
    );
  const byPolicy = async (): Promise<string[]> => [
    "| policy | Node, updates/s | page, updates/s | page over Node |",
    "| --- | --- | --- | --- |",
    ...lines(await speeds(site, rounds, policies), (node, page) => page / node),
  ];
  const byLesson = async (): Promise<string[]> => [
    "| lesson | Node, s | page, s | page's pace over Node's |",
    "| --- | --- | --- | --- |",
    ...lines(await lessonSpeeds(site, rounds, lessons), (node, page) => node / page),
  ];
  try {
    return [
      ...(policies.length > 0 ? await byPolicy() : []),
      ...(policies.length > 0 && lessons.length > 0 ? [""] : []),
      ...(lessons.length > 0 ? await byLesson() : []),
    ].join("\n");
  } finally {
    await site.close();
  }
}
