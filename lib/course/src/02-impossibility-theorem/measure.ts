import { createRng } from "turnwise/internal/base/rng";
import { advantageTable } from "turnwise/internal/exact/advantageTable";
import { driftCheck } from "turnwise/internal/exact/driftCheck";
import { decreaseRate, failureRate } from "turnwise/internal/exact/ensemble";
import { evaluateTree } from "turnwise/internal/exact/evaluateTree";
import { exactIteration, exactRun } from "turnwise/internal/exact/exactIteration";
import { exactRule, gradientStep, type ExactRule } from "turnwise/internal/exact/exactRule";
import { expectedAdvantageByArm } from "turnwise/internal/exact/groupExpectation";
import { monotonicityGrid } from "turnwise/internal/exact/monotonicityGrid";
import { sampledRun } from "turnwise/internal/exact/sampledIteration";
import { simplexArgmax, surrogateValue } from "turnwise/internal/exact/surrogateRow";
import { probabilityOf, tablePolicy, uniformPolicy } from "turnwise/internal/exact/tablePolicy";
import * as games from "turnwise/internal/tree/games/index";
import type { Tree } from "turnwise/internal/tree/tree";
import { surrogateRow } from "./drift";
import type { ImpossibilityResults } from "./results";

const seed = 7;
const trees = 200;

/** Everything the whole ledger on the impossibility result is measured on; about two seconds. */
export function measureImpossibility(): ImpossibilityResults {
  return {
    counts: monotonicityGrid({ trees, seed }),
    push,
    border,
    lookUp: { "std, G = 2": lookUp(2), "std, G = 4": lookUp(4) },
    drifts: drifts(),
    offsets: advantageTable(games.ladder(3), uniformPolicy(games.ladder(3))),
    contexts: {
      "no std": contexts("none"),
      "batch std": contexts("batch"),
      "group std, G = infinity": contexts("group"),
    },
    ratios: ratios(),
    noisyEnd: noisyEnd(),
    dice: {
      "std, G = 2": dice("group", 2),
      "std, G = 4": dice("group", 4),
      "no std, G = 2": dice("none", 2),
    },
    ...seeUpo(),
    ...sampled(),
    discounted: discounted(),
  };
}

/** A run from the policy that takes every action equally often. */
function learn(tree: Tree, cells: Partial<ExactRule>, iterations: number): ReturnType<typeof exactRun> {
  return exactRun(tree, uniformPolicy(tree), exactRule({ step: gradientStep(1), ...cells }), { iterations });
}

const arms = [
  { value: [0.1], probability: [1] },
  { value: [0, 1], probability: [0.75, 0.25] },
];

function push(groupSize: number, p: number): number {
  const [safe, risky] = expectedAdvantageByArm(arms, [1 - p, p], { groupSize, scale: "group" });
  return risky! - safe!;
}

function border(G: number): number | undefined {
  let [low, high] = [1e-6, 1 - 1e-6];
  if (push(G, high) < 0) return undefined;
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (push(G, middle) > 0) high = middle;
    else low = middle;
  }
  return high;
}

const lookUp = (groupSize: number): { readonly minimum: number } =>
  learn(games.guessOrLookUp(), { scale: "group", groupSize }, 400);

const contexts = (scale: ExactRule["scale"]): readonly number[] =>
  learn(games.hiddenContexts(), { scale }, 300).J;

function drifts(): ImpossibilityResults["drifts"] {
  return [2, 8].map((groupSize) => {
    const row = surrogateRow({ salary: 0.1, scale: "group", groupSize });
    return { rule: `group std, G = ${groupSize}`, ...driftCheck(row, createRng(seed)) };
  });
}

/** Three arms of 18, 1 and 12 tokens that pay 1 with these chances. */
const chances = [0.36584759, 0.6079753, 0.05918643];
const old = [33 / 60, 26 / 60, 1 / 60];

function ratios(): ImpossibilityResults["ratios"] {
  const worth = (p: readonly number[]): number => p.reduce((sum, x, a) => sum + x * chances[a]!, 0);
  const row = {
    old,
    positive: old.map((p, a) => p * chances[a]! * (1 - worth(old))),
    negative: old.map((p, a) => -p * (1 - chances[a]!) * worth(old)),
  };
  const best = (length?: readonly number[]): number =>
    worth(simplexArgmax((p) => surrogateValue(length === undefined ? row : { ...row, length }, p), old, 60));
  return { before: worth(old), geometric: best([18, 1, 12]), product: best() };
}

function noisyEnd(): ImpossibilityResults["noisyEnd"] {
  const noisy = games.guessOrLookUp({ pays: 0.4 });
  const end = (rule: string, cells: Partial<ExactRule>): ImpossibilityResults["noisyEnd"][number] => ({
    rule,
    "J at the end": learn(noisy, cells, 1500).J.at(-1)!,
  });
  return [
    ...[2, 8, 32, Infinity].map((groupSize) => end(`std, G = ${groupSize}`, { scale: "group", groupSize })),
    end("no std, G = 8", { groupSize: 8 }),
  ];
}

function dice(scale: ExactRule["scale"], groupSize: number): { readonly J: readonly number[] } {
  const tree = games.dice();
  const rule = exactRule({ scale, groupSize, step: gradientStep(2) });
  return exactRun(tree, tablePolicy(tree, { dice: { a: 0.2, b: 0.3, c: 0.5 } }), rule, { iterations: 300 });
}

function seeUpo(): Pick<ImpossibilityResults, "greedy" | "clipped"> {
  const cells = { baseline: "mean", order: "reverse", carry: "exact" } as const;
  const ensemble = { trees: 300, turns: 3, seed };
  const greedy = exactRule({ ...cells, step: { kind: "greedy" } });
  const clipped = exactRule({ ...cells, step: { kind: "clip", clipLow: 0.2, clipHigh: 0.2 } });
  return {
    greedy: failureRate(greedy, { ...ensemble, iterations: 1, target: 1 - 1e-9 }),
    clipped: decreaseRate(clipped, ensemble),
  };
}

function sampled(): Pick<ImpossibilityResults, "exactEnd" | "strays"> {
  const tree = games.guessOrLookUp({ facts: 2, guessReward: 0.1, pays: 0.5 });
  const rule = exactRule({ scale: "group", groupSize: 4, step: gradientStep(2) });
  const start = uniformPolicy(tree);
  const end = ({ policy }: Pick<ReturnType<typeof exactRun>, "policy">): number =>
    probabilityOf(tree, policy, "question", "lookup");
  const seeds = 20;
  const strays = [8, 32, 128].map((groups) => {
    const ends = Array.from({ length: seeds }, (_, i) =>
      end(sampledRun(tree, start, rule, { groups, iterations: 60, rng: createRng(seed).split("stray", i) })),
    );
    return { groups, seeds, "end at looking up": ends.filter((p) => p > 0.5).length };
  });
  return { exactEnd: end(exactRun(tree, start, rule, { iterations: 60 })), strays };
}

function discounted(): ImpossibilityResults["discounted"] {
  const tree = games.nowOrLater();
  const even = uniformPolicy(tree);
  const [now, wait] = evaluateTree(tree, even, { gamma: 0.5 }).actionValue[0]!;
  const { policy } = exactIteration(tree, even, exactRule({ step: { kind: "greedy" } }));
  return { now: now!, wait: wait!, waits: policy[0]![1] === 1 };
}
