// Uses internals of turnwise/env, turnwise/train.
/**
 * Seconds until the mean return of the last eight batches is at 95% of the optimum, for three rules in three worlds,
 * against a plain PyTorch implementation that plays the same transitions: `node build/test/bench/endToEnd/main.js`.
 *
 * Before anything is timed, one update on the same batch must leave both with the same parameters.
 */
import { parseArgs } from "node:util";
import {
  collect,
  createRng,
  make,
  recipe,
  TabularPolicy,
  train,
  type Recipe,
  createOptimizer,
} from "turnwise";
import { isEnumerable } from "turnwise/internal/env/env";
import { Learner } from "turnwise/internal/train/learner";
import type { Peer } from "../peers/peer.js";
import { median, processorTime, short, table } from "../peers/statistics.js";
import { withPeers, type Peers } from "../peers/withPeers.js";
import { record, type Figure } from "../record.js";
import { tableWorld, type TableWorld } from "./tableWorld.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "9" },
    worlds: { type: "string", default: "MatrixChain-v0,LookUp-v0,TMaze-v0" },
    "no-peers": { type: "boolean", default: false },
  },
});

const RULES = ["grpo", "ppo", "seeUpo"] as const;
type Rule = (typeof RULES)[number];

const BATCH = { groups: 8, groupSize: 8 };
const RATE = 0.03;
const WINDOW = 8;
/** 95% of an optimum of 1, which all three worlds have. */
const TARGET = 0.95;
const MOST = 2000;

/** As many optimizer steps per batch as there are turns: one for each turn in sequence, or that many for all together. */
function stepsOf(rule: Rule, turns: number): number {
  return rule === "seeUpo" ? 1 : turns;
}

function recipeOf(rule: Rule, turns: number): Recipe {
  const optimizer = { kind: "adam" as const, learningRate: RATE };
  return recipe(rule, { update: { epochs: stepsOf(rule, turns), minibatches: 1, optimizer } });
}

interface Run {
  readonly milliseconds: number;
  readonly processor: number;
  readonly updates: number;
}

async function ours(world: string, rule: Rule, seed: number): Promise<Run> {
  const env = make(world);
  const begin = performance.now();
  const worked = processorTime();
  const run = train({ env, recipe: recipeOf(rule, env.spec.maxTurns), updates: MOST, ...BATCH, seed });
  const latest: number[] = [];
  let updates = -MOST;
  for await (const { update, metrics } of run) {
    latest.push(metrics["reward/mean"]!);
    if (latest.length > WINDOW) latest.shift();
    if (latest.length < WINDOW || latest.reduce((a, b) => a + b, 0) / WINDOW < TARGET) continue;
    updates = update;
    break;
  }
  return { milliseconds: performance.now() - begin, processor: processorTime() - worked, updates };
}

/** The same first update from the same batch leaves both with the same table. */
async function expectSameUpdate(world: string, rule: Rule, arrays: TableWorld, torch: Peer): Promise<void> {
  const env = make(world);
  const steps = stepsOf(rule, env.spec.maxTurns);
  const valueHead = rule === "ppo";
  const policy = new TabularPolicy(env.spec, { valueHead });
  const row = recipeOf(rule, env.spec.maxTurns);
  const rng = createRng(11).split("update", 1);
  const batch = collect(env, policy.clone(), { ...BATCH, rng: rng.split("rollout") });
  const optimizer = createOptimizer(row.update.optimizer);
  const learner = new Learner({
    ...{ env, policy, recipe: row, optimizer, reference: null, temperature: 1, logProbNoise: 0 },
    ...BATCH,
  });
  learner.update(1, rng);
  const [N, T, L] = batch.shape;
  const rowOf = new Map(arrays.keys.map((key, i) => [key, i]));
  const cube = (value: (n: number, t: number, l: number) => number): number[][][] =>
    Array.from({ length: N }, (_, n) =>
      Array.from({ length: T }, (_, t) => Array.from({ length: L }, (_, l) => value(n, t, l))),
    );
  const cell = (n: number, t: number, l: number): number => (n * T + t) * L + l;
  const keyAt = (n: number, t: number, l: number): string =>
    [batch.context_nt[n]![t] as string, ...batch.token_ntl.subarray(cell(n, t, 0), cell(n, t, l))].join("|");
  const { losses } = await torch.ask({
    ...{ world, rule, steps, rate: RATE, groupSize: BATCH.groupSize },
    batch: {
      row: cube((n, t, l) => (batch.mask_ntl[cell(n, t, l)] ? rowOf.get(keyAt(n, t, l))! : 0)),
      token: cube((n, t, l) => batch.token_ntl[cell(n, t, l)]!),
      mask: cube((n, t, l) => batch.mask_ntl[cell(n, t, l)]!),
      old: cube((n, t, l) => batch.oldLogProb_ntl[cell(n, t, l)]!),
      reward: Array.from({ length: N }, (_, n) => Array.from(batch.reward_nt.subarray(n * T, (n + 1) * T))),
    },
  });
  const state = policy.state();
  const V = arrays.vocabularySize;
  const stride = V + (valueHead ? 1 : 0);
  (state.extra as string[]).forEach((key, r) => {
    for (let v = 0; v < V; v++) {
      const own = state.parameters[r * stride + v]!;
      const theirs = losses[rowOf.get(key)! * V + v]!;
      if (Math.abs(own - theirs) < 1e-6) continue;
      throw new Error(
        `Cannot compare ${rule} in ${world}: logit ${v} of row "${key}" must be ${own} after one update, got ${theirs}.`,
      );
    }
  });
}

const names = values.worlds.split(",");
const worlds = Object.fromEntries(
  names.map((name) => {
    const env = make(name);
    if (!isEnumerable(env)) throw new TypeError(`Cannot list ${name}: it must be enumerable.`);
    return [name, tableWorld(env, new TabularPolicy(env.spec))];
  }),
);

async function main({ torch }: Peers): Promise<void> {
  const rows: string[][] = [];
  const figures: Figure[] = [];
  for (const name of names) {
    for (const rule of RULES) {
      const steps = stepsOf(rule, worlds[name]!.maxTurns);
      const question = { world: name, rule, steps, ...BATCH, rate: RATE, window: WINDOW, target: TARGET };
      const peer = async (seed: number): Promise<Run> => {
        const { times, processor, losses } = await torch!.ask({ ...question, most: MOST, seed });
        return { milliseconds: times[0]!, processor: processor[0]!, updates: losses[0]! };
      };
      if (torch) await expectSameUpdate(name, rule, worlds[name]!, torch);
      await ours(name, rule, 1000);
      if (torch) await peer(1000);
      const own: Run[] = [];
      const theirs: Run[] = [];
      for (let seed = 0; seed < Number(values.seeds); seed++) {
        own.push(await ours(name, rule, seed));
        if (torch) theirs.push(await peer(seed));
      }
      const cells = (runs: readonly Run[]): string[] => {
        if (runs.length === 0) return ["", "", ""];
        const reached = runs.filter(({ updates }) => updates > 0);
        return [
          reached.length < runs.length ? `${reached.length} of ${runs.length}` : "all",
          short(median(runs.map(({ updates }) => Math.abs(updates)))),
          short(median(runs.map(({ milliseconds }) => milliseconds)) / 1000),
        ];
      };
      const middle = (runs: readonly Run[], which: keyof Run): number =>
        median(runs.map((run) => run[which]));
      const perUpdate = (runs: readonly Run[]): number =>
        median(runs.map((run) => run.processor / Math.abs(run.updates)));
      for (const [contender, runs] of [
        ["turnwise", own],
        ["PyTorch", theirs],
      ] as const) {
        if (runs.length === 0) continue;
        const [wall, processor] = [middle(runs, "milliseconds"), middle(runs, "processor")];
        figures.push({ work: `${name}, ${rule}`, contender, wall, processor });
      }
      rows.push([
        `${name}, ${rule}`,
        ...cells(own),
        ...cells(theirs),
        torch ? short(middle(theirs, "milliseconds") / middle(own, "milliseconds")) : "",
        torch ? short(middle(theirs, "processor") / middle(own, "processor")) : "",
        torch ? short(perUpdate(theirs) / perUpdate(own)) : "",
      ]);
    }
  }
  record(figures);
  const head = [
    "",
    ...["reached", "updates", "seconds"].map((name) => `turnwise: ${name}`),
    ...["reached", "updates", "seconds"].map((name) => `PyTorch: ${name}`),
    "PyTorch's seconds, times ours",
    "processor time",
    "processor time per update",
  ];
  process.stdout.write(`${table(head, rows)}\n\nMedians of ${values.seeds} seeds.\n`);
  if (!torch) process.stdout.write("PyTorch is not here, or not asked for: no ratios to it.\n");
}

void withPeers(
  { names: values["no-peers"] ? [] : ["torch"], script: "torch_end_to_end.py", spec: () => worlds },
  main,
);
