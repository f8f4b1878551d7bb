import { performance } from "node:perf_hooks";
import { median } from "turnwise";
import type { LibraryPage } from "./libraryPage.js";

interface Given {
  load<T>(name: string): Promise<T>;
}
type Root = typeof import("turnwise");
type Study = typeof import("turnwise/study");
type Search = typeof import("turnwise/search");

/** What each lesson trains, shorter or with fewer seeds. A body sees only what it is given, as the page gets its text. */
export const trainings: Readonly<Record<string, (given: Given) => Promise<void>>> = {
  "00 GRPO in LookUp-v0": async ({ load }) => {
    const { train } = await load<Root>("turnwise");
    const task = { env: "LookUp-v0", policy: { syntaxPrior: 3 }, updates: 300, evaluateExact: 1 } as const;
    for await (const _ of train({ ...task, recipe: "grpo", seed: 0 }));
  },
  "01 GRPO by hand": async ({ load }) => {
    const { collect, createPolicy, createRng, enumerateReturn, make } = await load<Root>("turnwise");
    const world = make("LookUp-v0", { wrongPenalty: 1 / 3 });
    const policy = createPolicy(world.spec, { syntaxPrior: 3 });
    for (let update = 1; update <= 100; update++) {
      const batch = collect(world, policy, {
        groups: 8,
        groupSize: 8,
        rng: createRng(0).split("update", update),
      });
      const { logProb_ntl } = policy.evaluate(batch);
      const dLogProb_ntl = logProb_ntl.map((_, k) => batch.mask_ntl[k]! / 64);
      const gradient = policy.backward(batch, { dLogProb_ntl });
      gradient.forEach((g, j) => (policy.parameters[j]! += 0.01 * g));
      enumerateReturn(world, policy, { gradient: false });
    }
  },
  "04 a collapse": async ({ load }) => {
    const { liveRun } = await load<Study>("turnwise/study");
    await liveRun({ trap: "reuse", seed: 0, updates: 100 });
  },
  "05 ratios of three grains": async ({ load }) => {
    const { compareGrains } = await load<Study>("turnwise/study");
    await compareGrains({ seeds: 1 });
  },
  "06 memory": async ({ load }) => {
    const { trainSkills } = await load<Study>("turnwise/study");
    await trainSkills(["memory: TMaze"], 1);
  },
  "07 verifiers": async ({ load }) => {
    const { trainOnVerifiers } = await load<Study>("turnwise/study");
    await trainOnVerifiers(1, 60);
  },
  "09 a model of the world": async ({ load }) => {
    const { dyna } = await load<Search>("turnwise/search");
    const batches = { groups: 4, groupSize: 4, updates: 20, evaluateExact: 5 };
    for await (const _ of dyna({ env: "HandOver-v0", recipe: "rloo", planning: 4, ...batches }));
  },
  "10 a language model": async ({ load }) => {
    const { createPolicy, make, train } = await load<Root>("turnwise");
    const world = make("Calculator-v0", { syntax: "digits", level: 2 });
    const size = { kind: "transformer", width: 16, layers: 1, heads: 2, window: 48 } as const;
    const policy = createPolicy(world.spec, { ...size, compute: "wasm", seed: 0 });
    for await (const _ of train({ env: world, policy, recipe: "grpo", updates: 20, seed: 0 }));
  },
};

/** Median seconds of each lesson's training, in which Node and a page take turns. */
export async function lessonSpeeds(
  site: LibraryPage,
  rounds: number,
  names: readonly string[] = Object.keys(trainings),
): Promise<{ name: string; node: number; page: number }[]> {
  const here: Given = { load: async <T>(name: string) => (await import(name)) as T };
  const found = [];
  for (const name of names) {
    const training = trainings[name]!;
    const [node, page]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const took = [];
      for (const run of [() => training(here), () => site.run(training)]) {
        const begun = performance.now();
        await run();
        took.push((performance.now() - begun) / 1000);
      }
      // The first round compiles.
      if (round === 0) continue;
      node.push(took[0]!);
      page.push(took[1]!);
    }
    found.push({ name, node: median(node), page: median(page) });
  }
  return found;
}
