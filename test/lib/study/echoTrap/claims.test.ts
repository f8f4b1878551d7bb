import {
  echoTrapClaims,
  ragenEnvs,
  ragenRows,
  type EchoTrapResults,
  type LeverName,
  type StoredRagenRun,
  type StoredRun,
  type TrapName,
} from "turnwise/study";
import { storedRun, threeRuns } from "../storedRun";
import { testVerdicts } from "../support";

/** GRPO in the four settings: it solves the sane one, and ends at .5 in the traps. */
const vanilla = (sane = 1, spikes: Partial<Record<TrapName, number>> = {}): StoredRun[] => [
  ...threeRuns({ trap: "sane", final: sane, maxGradNorm: 1 }),
  ...threeRuns({ trap: "cost", final: 0.4 }),
  ...threeRuns({ trap: "mismatch", final: 0.5, fall: 50, maxGradNorm: spikes.mismatch ?? 20 }),
];
/** Trap A: what happened when, in each of four runs; seed 3 held. */
const reuse = (cells: Partial<StoredRun> = {}): StoredRun[] => [
  ...threeRuns({
    ...{ final: 0.4, collapsed: true, entropyCliff: 20, stdCliff: 30, burst: 95, fall: 100, maxGradNorm: 1 },
    ...cells,
  }),
  storedRun({ seed: 3, final: 0.95, entropyCliff: 20, stdCliff: 30, maxGradNorm: cells.maxGradNorm ?? 1 }),
  storedRun({ seed: 23, final: 0.95, change: "from=20" }),
];
const cell = (trap: TrapName, lever: LeverName, final: number, more: Partial<StoredRun> = {}): StoredRun[] =>
  threeRuns({ trap, lever, final, ...more });
const filtered = (trap: TrapName, final: number): StoredRun[] => cell(trap, "filter 50 %", final);
const noisy = (half: number, quarter: number): StoredRun[] =>
  ["", "beta=2"].flatMap((change) => [
    ...cell("noisyReward", "vanilla", 0.5, { change }),
    ...cell("noisyReward", "filter 50 %", change === "" ? half : 0.5, { change }),
    ...cell("noisyReward", "filter 25 %", change === "" ? quarter : 0.5, { change }),
  ]);
const all = (half: number): StoredRun[] =>
  noisy(half, half).map((run) => (run.lever === "vanilla" ? run : { ...run, final: half }));
const soPpo = (reuseEnd: number, costEnd: number, more: Partial<StoredRun> = {}): StoredRun[] => [
  ...cell("reuse", "PPO (critic)", 0.6),
  ...cell("cost", "PPO (critic)", 0.6),
  ...cell("reuse", "SO-PPO, KL", reuseEnd, more),
  ...cell("cost", "SO-PPO, KL", costEnd),
];
const runs = (...more: readonly StoredRun[][]): StoredRun[] => [...vanilla(), ...reuse(), ...more.flat()];
const withRuns = (...more: readonly StoredRun[][]): Partial<EchoTrapResults> => ({ runs: runs(...more) });

type World = `${(typeof ragenRows)[number]} on ${(typeof ragenEnvs)[number]}`;
/** Three runs of every row in every world, alike: reward .5 throughout, and nothing silent, unless told. */
const ragen = (change: Partial<Record<World, Partial<StoredRagenRun>>> = {}): StoredRagenRun[] =>
  ragenEnvs.flatMap((env) =>
    ragenRows.flatMap((row) =>
      [0, 1, 2].map(
        (seed) =>
          ({
            ...{ env, row, seed, start: 0.2, final: 0.5, peak: 0.5, topShare: 0.3, stdCliff: null },
            ...{ q1: 0.5, q2: 0.5, q3: 0.5, q4: 0.5 },
            ...change[`${row} on ${env}`],
          }) as StoredRagenRun,
      ),
    ),
  );
const everywhere = (
  rows: readonly (typeof ragenRows)[number][],
  cells: Partial<StoredRagenRun>,
): StoredRagenRun[] =>
  ragen(Object.fromEntries(rows.flatMap((row) => ragenEnvs.map((env) => [`${row} on ${env}`, cells]))));

const base: EchoTrapResults = {
  runs: [
    ...runs(noisy(0.8, 0.5), soPpo(0.8, 0.5), cell("reuse", "SO-GRPO, gradient", 0.4)),
    ...cell("mismatch", "SO-GRPO, gradient", 0.8),
  ],
  ragen: ragen(),
};

describe("the claims about echo traps", () => {
  const contains0 = "not reproduced: the intervals contain 0";
  const filter = "Filtering groups";
  const ratio = "Turn-level importance ratios";
  const together = "Turn ratio and clipping-triggered";
  const gradient = cell("reuse", "SO-GRPO, gradient", 0.4);
  testVerdicts(echoTrapClaims, base, [
    [
      "Multi-turn GRPO",
      {},
      "holds only if Adam takes many large steps per batch, or a cost meets group std, or log-probs disagree",
    ],
    ["Multi-turn GRPO", { runs: [...vanilla(0.9), ...reuse()] }, "not reproduced"],
    ["In-group std falls", {}, "not reproduced: entropy falls first here"],
    [
      "In-group std falls",
      { runs: [...vanilla(), ...reuse({ entropyCliff: 30 })] },
      "not reproduced: they fall together",
    ],
    ["A gradient burst", {}, "holds"],
    // The last burst came 11 updates before the fall.
    [
      "A gradient burst",
      { runs: [...vanilla(), ...reuse({ burst: 89 })] },
      "holds only if Adam comes out of silence",
    ],
    ["The fall is", {}, "holds"],
    [
      "The fall is",
      { runs: [...vanilla(), ...reuse({ collapsed: false })] },
      "holds only if no later burst brings the policy back: some runs recover",
    ],
    [
      "Gradient spikes",
      {},
      "holds only if rollout and trainer disagree about log-probs, and not in every such run",
    ],
    ["Gradient spikes", { runs: [...vanilla(), ...reuse({ maxGradNorm: 11 })] }, "holds"],
    ["Gradient spikes", { runs: [...vanilla(1, { mismatch: 10 }), ...reuse()] }, "not reproduced"],
    ["Dividing by", {}, "not reproduced"],
    [
      "Dividing by",
      withRuns(cell("cost", "no std", 0.8), cell("cost", "batch std", 0.8)),
      "holds only if a small cost decides among failures (trap B)",
    ],
    ["Dividing by", withRuns(cell("cost", "no std", 0.8), cell("cost", "batch std", 0.4)), "not reproduced"],
    ["SeeUPO prevents", {}, "not reproduced"],
    [
      "SeeUPO prevents",
      withRuns(cell("reuse", "SeeUPO, 1 step per turn", 0.99)),
      "holds only if it takes one step per turn, and GRPO with one step does as well",
    ],
    // It helps and does not mend: the mean stays below .9.
    ["SeeUPO prevents", withRuns(cell("reuse", "SeeUPO, 1 step per turn", 0.89)), "not reproduced"],
    [filter, {}, "not reproduced: no gain whose interval excludes 0"],
    [filter, withRuns(filtered("reuse", 0.98)), "holds"],
    [
      filter,
      withRuns(filtered("cost", 0.8)),
      "holds only if the trap is a cost under group std, and in part",
    ],
    ["The filter helps", {}, "holds only if beta is 1.5 and 50 % of the groups are kept"],
    ["The filter helps", withRuns(all(0.8)), "holds"],
    ["The filter helps", withRuns(noisy(0.5, 0.5)), contains0],
    [ratio, {}, "not reproduced: the interval contains 0"],
    [ratio, withRuns(cell("reuse", "turn ratio geometric", 0.98)), "holds"],
    [
      ratio,
      withRuns(cell("mismatch", "turn ratio geometric", 0.8)),
      "holds only if single tokens have wild ratios and the mean is geometric",
    ],
    [together, {}, "not reproduced"],
    [together, withRuns(cell("reuse", "SO-GRPO, KL", 0.98)), "holds only if its penalty is estimated by k2"],
    [
      together,
      withRuns(cell("mismatch", "SO-GRPO, KL", 0.8)),
      "holds only if the trouble is mismatch and the penalty is estimated by k2: under heavy reuse neither estimate helps",
    ],
    ["The same, gradient", {}, "holds only if the trouble is mismatch"],
    ["The same, gradient", withRuns(cell("reuse", "SO-GRPO, gradient", 0.98)), "holds"],
    ["The same, gradient", withRuns(gradient, cell("mismatch", "SO-GRPO, gradient", 0.5)), "not reproduced"],
    ["SO-PPO is", {}, "holds only if the trap is A reuse"],
    ["SO-PPO is", withRuns(soPpo(0.8, 0.8)), "holds"],
    ["SO-PPO is", withRuns(soPpo(0.6, 0.5)), contains0],
    // Runs that stopped before their end are not compared.
    ["SO-PPO is", withRuns(soPpo(0.8, 0.6, { stoppedAt: 9 })), contains0],
    ["A KL penalty", {}, "not reproduced"],
    ["A KL penalty", withRuns(cell("reuse", "KL to reference .1", 0.98)), "holds"],
    [
      "A KL penalty",
      withRuns(cell("reuse", "KL to reference .1, k2", 0.98)),
      "holds only if its estimate has a bounded pull: k3 blows up under heavy reuse",
    ],
    ["PPO and GRPO collapse", {}, "not reproduced"],
    [
      "PPO and GRPO collapse",
      // .37 is below three quarters of .5.
      { ragen: ragen({ "grpo on Sokoban-v0": { q4: 0.37 } }) },
      "holds only if it is grpo on Sokoban-v0",
    ],
    ["PPO and GRPO collapse", { ragen: everywhere(["starPo", "grpo"], { q4: 0.4 }) }, "holds"],
    ["GRPO does worse", {}, "not reproduced"],
    [
      "GRPO does worse",
      { ragen: ragen({ "grpo on BiArmBandit-v0": { final: 0.4 } }) },
      "holds only if it is BiArmBandit-v0",
    ],
    ["GRPO does worse", { ragen: everywhere(["grpo"], { final: 0.4 }) }, "holds"],
    ["When in-group std", {}, "not reproduced"],
    [
      "When in-group std",
      {
        ragen: ragen({
          "grpo on Sokoban-v0": { stdCliff: 40, q4: 0.4 },
          "starPo on Sokoban-v0": { stdCliff: 40 },
        }),
      },
      "holds only if it is grpo on Sokoban-v0",
    ],
    ["When in-group std", { ragen: ragen({ "grpo on Sokoban-v0": { stdCliff: 40, q4: 0.4 } }) }, "holds"],
    ["StarPO-S does", {}, "not reproduced"],
    [
      "StarPO-S does",
      { ragen: ragen({ "starPoS on Sokoban-v0": { final: 0.6 } }) },
      "holds only if it is Sokoban-v0",
    ],
    ["StarPO-S does", { ragen: everywhere(["starPoS"], { final: 0.6 }) }, "holds"],
  ]);
});
