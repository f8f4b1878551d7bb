import type { TrainOptions } from "turnwise";

/** What a training is handed, on Node and in a page. */
export interface Given {
  /** Imports a module as a cell would. */
  load<T>(name: string): Promise<T>;
}
type Root = typeof import("turnwise");
type Search = typeof import("turnwise/search");

/** What a row of the table trains. The page gets its text, so that it sees only what it is given. */
export interface Training {
  readonly run: (given: Given, options: TrainOptions | undefined) => Promise<void>;
  readonly options?: TrainOptions;
}

const policy = (options: Omit<TrainOptions, "env" | "recipe">): Training => ({
  run: async ({ load }, given) => {
    const { train } = await load<Root>("turnwise");
    for await (const _ of train(given!));
  },
  options: { env: "LookUp-v0", recipe: "grpo", ...options },
});

const policies: Readonly<Record<string, Training>> = {
  table: policy({ updates: 400 }),
  "log-linear": policy({ updates: 100, policy: { kind: "logLinear" } }),
  mlp: policy({ updates: 60, policy: { kind: "mlp" } }),
  gru: policy({ updates: 40, policy: { kind: "gru" } }),
  transformer: policy({ updates: 20, policy: { kind: "transformer" } }),
};

/** What each lesson trains, shorter or with fewer seeds. */
const lessons: Readonly<Record<string, Training["run"]>> = {
  "00 GRPO in LookUp-v0": async ({ load }) => {
    const { train } = await load<Root>("turnwise");
    const task = { env: "LookUp-v0", policy: { syntaxPrior: 3 }, updates: 300, exactEvery: 1 } as const;
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
    const { liveRun } = await load<typeof import("turnwise-course/echo-trap")>("turnwise-course/echo-trap");
    await liveRun({ trap: "reuse", seed: 0, updates: 100 });
  },
  "05 ratios of three grains": async ({ load }) => {
    const { compareGrains } = await load<typeof import("turnwise-course/off-policy-stability")>(
      "turnwise-course/off-policy-stability",
    );
    await compareGrains({ seeds: 1 });
  },
  "06 memory": async ({ load }) => {
    const { trainSkills } = await load<typeof import("turnwise-course/agentic-pomdp")>(
      "turnwise-course/agentic-pomdp",
    );
    await trainSkills(["memory: TMaze"], 1);
  },
  "07 verifiers": async ({ load }) => {
    const { trainOnVerifiers } = await load<typeof import("turnwise-course/reward-signal")>(
      "turnwise-course/reward-signal",
    );
    await trainOnVerifiers(1, 60);
  },
  "09 a model of the world": async ({ load }) => {
    const { dyna } = await load<Search>("turnwise/search");
    const batches = { groups: 4, groupSize: 4, updates: 20, exactEvery: 5 };
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

/** Every row: the kinds of policy by their names, the lessons by their numbers and what they train. */
export const trainings: Readonly<Record<string, Training>> = {
  ...policies,
  ...Object.fromEntries(Object.entries(lessons).map(([name, run]) => [name, { run }])),
};

/** What the rows import: it is loaded before their time is taken. */
export const loaded = [
  "turnwise",
  "turnwise/search",
  "turnwise-course/echo-trap",
  "turnwise-course/off-policy-stability",
  "turnwise-course/agentic-pomdp",
  "turnwise-course/reward-signal",
] as const;

/**
 * The rows that are asked for: policies by their whole name, lessons by what begins theirs ("01"). None asks for all.
 *
 * @throws {RangeError} if no row has such a name
 */
export function rowsAsked(asked: readonly string[]): string[] {
  const all = Object.keys(trainings);
  const isAsked = (row: string, name: string): boolean => row === name || row.startsWith(`${name} `);
  const unknown = asked.find((name) => !all.some((row) => isAsked(row, name)));
  if (unknown !== undefined) {
    const known = all.map((row) => row.split(" ")[0]!).join(", ");
    throw new RangeError(`Cannot measure speeds: a row must be one of ${known}, got "${unknown}".`);
  }
  return asked.length === 0 ? all : all.filter((row) => asked.some((name) => isAsked(row, name)));
}
