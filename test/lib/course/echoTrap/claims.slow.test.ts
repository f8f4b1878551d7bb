import {
  echoTrapClaims,
  ragenEnvs,
  ragenRows,
  type LeverName,
  type StoredRun,
  type TrapName,
} from "turnwise-course/echo-trap";
import type { EchoTrapResults } from "turnwise-course/internal/04-echo-trap/claims";
import type { StoredRagenRun } from "turnwise-course/internal/04-echo-trap/ragenStored";
import { fortyRuns } from "../storedRun";
import { testVerdicts } from "../support";

/** GRPO in the settings beside trap A: it solves the sane one, and fails in the traps without ever rising. */
const vanilla = (change: { cost?: number; spikes?: number } = {}): StoredRun[] => [
  ...fortyRuns({ trap: "sane", final: 1, maxGradNorm: 1 }),
  ...fortyRuns({ trap: "cost", final: change.cost ?? 0.4 }),
  // A quarter of the runs in C falls, with spikes or without.
  ...fortyRuns({ trap: "mismatch", final: 0.5, maxGradNorm: 1 }).map((run) =>
    run.seed % 4 === 0 ? { ...run, fall: 50, maxGradNorm: change.spikes ?? 20 } : run,
  ),
];
const fallen = {
  optimizerSteps: 12000,
  ...{ final: 0.4, collapsed: true, entropyCliff: 20, stdCliff: 30, maxGradNorm: 1 },
  ...{ fall: 100, onset: 97, burst: 90, spike: 87, windows: 50, burstWindows: 5, spikeWindows: 5 },
} as const;
/** Trap A: what happened when; three quarters of the runs fall. */
const reuse = (cells: Partial<StoredRun> = {}): StoredRun[] =>
  fortyRuns({}).map((run) =>
    run.seed % 4 === 3
      ? {
          ...run,
          final: 0.95,
          entropyCliff: cells.entropyCliff ?? 20,
          stdCliff: 30,
          maxGradNorm: 1,
          windows: 400,
          burstWindows: 40,
          optimizerSteps: 12000,
        }
      : { ...run, ...fallen, ...cells },
  );
const cell = (trap: TrapName, lever: LeverName, final: number, more: Partial<StoredRun> = {}): StoredRun[] =>
  fortyRuns({ trap, lever, final, ...more });
/** A lever in the three traps. GRPO ends at .54 in A, at .4 in B and at .5 in C. */
const lever = (name: LeverName, a: number, b: number, c: number): StoredRun[] => [
  ...cell("reuse", name, a),
  ...cell("cost", name, b),
  ...cell("mismatch", name, c),
];
const noisy = (half: number, quarter: number): StoredRun[] =>
  ["", "beta=2"].flatMap((change) => [
    ...cell("noisyReward", "vanilla", change === "" ? 0.5 : 0.98, { change }),
    ...cell("noisyReward", "filter 50 %", change === "" ? half : 0.99, { change }),
    ...cell("noisyReward", "filter 25 %", change === "" ? quarter : 0.99, { change }),
  ]);
const runs = (...more: readonly StoredRun[][]): StoredRun[] => [...vanilla(), ...reuse(), ...more.flat()];

type World = `${(typeof ragenRows)[number]} on ${(typeof ragenEnvs)[number]}`;
/** Forty runs of every row in every world, alike: reward .5 throughout, and nothing silent, unless told. */
const ragen = (change: Partial<Record<World, Partial<StoredRagenRun>>> = {}): StoredRagenRun[] =>
  ragenEnvs.flatMap((env) =>
    ragenRows.flatMap((row) =>
      Array.from(
        { length: 40 },
        (_, seed) =>
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

const kls = ["KL to reference .1", "clip penalty, KL", "SO-GRPO, KL", "SO-PPO, KL"] as const;
const estimates = (exact: number, trl: number, verl: number): StoredRun[] =>
  kls.flatMap((row) => [
    ...lever(row, exact, 0.4, exact),
    ...lever(`${row}, k3 of TRL`, trl, 0.4, trl),
    ...lever(`${row}, k3 of verl`, verl, 0.4, verl),
  ]);
const base: EchoTrapResults = {
  runs: [
    ...runs(
      noisy(0.8, 0.5),
      estimates(0.1, 0.1, 0.1),
      lever("1 step per batch", 0.5, 0.4, 0.5),
      lever("no std", 0.5, 0.9, 0.5),
      lever("batch std", 0.5, 0.9, 0.5),
      lever("SeeUPO, 1 step per turn", 0.5, 0.4, 0.5),
      lever("filter 50 %", 0.5, 0.4, 0.5),
      lever("turn ratio geometric", 0.5, 0.4, 0.8),
      lever("turn ratio arithmetic", 0.5, 0.4, 0.5),
      lever("dual clip 3", 0.5, 0.4, 0.98),
      lever("SO-GRPO, gradient", 0.5, 0.4, 0.5),
      lever("PPO (critic)", 0.1, 0.4, 0.1),
      lever("SO-PPO, gradient", 0.17, 0.9, 0.1),
      lever("KL to reference .2", 0.5, 0.4, 0.1),
    ),
  ],
  ragen: ragen(),
};
/** The base with other runs in place of those of these levers. */
const instead = (...own: readonly StoredRun[][]): Partial<EchoTrapResults> => {
  const changed = own.flat();
  const key = (run: StoredRun): string => [run.trap, run.lever, run.change].join();
  const keys = new Set(changed.map(key));
  return { runs: [...base.runs.filter((run) => !keys.has(key(run))), ...changed] };
};

describe("the claims about echo traps", () => {
  const none = "no effect that matters";
  const k3 = "Estimated by k3";
  const inA = "holds if trap = A of {A, B, C}";
  testVerdicts(echoTrapClaims, base, [
    // 30 of 40 collapse in A, in one setting of Adam and three others.
    ["Multi-turn GRPO", {}, "holds if trap = A, learningRate = .3, steps = 24 (1 of 5 settings)"],
    ["Multi-turn GRPO", { runs: [...vanilla(), ...reuse({ collapsed: false })] }, "not shown"],
    ["Heavy reuse under Adam", {}, "holds"],
    [
      "Heavy reuse under Adam",
      { runs: [...vanilla({ cost: 1 }), ...reuse()] },
      "holds if trap = A or C of {A, B, C}",
    ],
    // Entropy comes first in all of them.
    ["In-group std falls", {}, "refuted"],
    ["In-group std falls", { runs: [...vanilla(), ...reuse({ entropyCliff: 40 })] }, "holds"],
    // Each run that falls has both in the ten updates before its onset, and in a tenth of its control windows.
    ["A burst comes", {}, "holds"],
    [
      "A burst comes",
      { runs: [...vanilla(), ...reuse({ spike: 86 })] },
      "holds if signal = KL above .5 nats of {KL above .5 nats, gradient 3 times its mean}",
    ],
    ["A burst comes", { runs: [...vanilla(), ...reuse({ burstWindows: 50, spikeWindows: 50 })] }, none],
    // Of 30 falls, none recovered: at most 11.6% do.
    ["The fall is", {}, "not shown"],
    ["The fall is", { runs: [...vanilla(), ...reuse({ collapsed: false })] }, "refuted"],
    ["A gradient spike", {}, "holds if trap = C of {A, C}"],
    ["A gradient spike", { runs: [...vanilla({ spikes: 10 }), ...reuse()] }, "not shown"],
    ["Fewer steps", {}, "not shown"],
    ["Fewer steps", instead(lever("1 step per batch", 0.98, 0.4, 0.5)), inA],
    ["An advantage that", {}, "holds if trap = B of {A, B, C}"],
    [
      "An advantage that",
      instead(lever("no std", 0.5, 0.4, 0.5), lever("batch std", 0.5, 0.4, 0.5)),
      "not shown",
    ],
    ["SeeUPO prevents", {}, "not shown"],
    ["SeeUPO prevents", instead(lever("SeeUPO, 1 step per turn", 0.98, 0.8, 0.8)), "holds"],
    ["SeeUPO does better", {}, none],
    ["SeeUPO does better", instead(lever("SeeUPO, 1 step per turn", 0.98, 0.4, 0.5)), inA],
    ["Filtering groups", {}, "not shown"],
    ["Filtering groups", instead(lever("filter 50 %", 0.5, 0.8, 0.5)), "holds if trap = B of {A, B, C}"],
    // From .98 nothing is to be gained.
    ["The filter helps", {}, "holds if beta = 1.5, lever = filter 50 % (1 of 4 settings)"],
    ["The filter helps", instead(noisy(0.5, 0.5)), none],
    ["Turn-level importance", {}, "holds if lever = turn ratio geometric, trap = C (1 of 6 settings)"],
    ["Turn-level importance", instead(lever("turn ratio geometric", 0.5, 0.4, 0.5)), "not shown"],
    ["A dual clip", {}, "holds if trap = C of {A, B, C}"],
    ["A dual clip", instead(lever("dual clip 3", 0.5, 0.4, 0.5)), "not shown"],
    // Less in A and C, and the same in B.
    ["Turn ratio and our KL penalty", {}, "refuted"],
    [
      "Turn ratio and our KL penalty",
      instead(lever("SO-GRPO, KL", 0.98, 0.4, 0.98)),
      "holds if trap = A or C of {A, B, C}",
    ],
    ["Turn ratio and a division", {}, "not shown"],
    ["Turn ratio and a division", instead(lever("SO-GRPO, gradient", 0.98, 0.4, 0.5)), inA],
    ["A KL penalty to", {}, "not shown"],
    [
      "A KL penalty to",
      instead(lever("KL to reference .1", 0.98, 0.9, 0.9), lever("KL to reference .2", 0.98, 0.9, 0.9)),
      "holds",
    ],
    ["So does the penalty", {}, "refuted"],
    ["So does the penalty", instead(lever("KL to reference .1, k3 of TRL", 0.98, 0.4, 0.1)), inA],
    [k3, {}, none],
    [k3, instead(estimates(0.9, 0.1, 0.1)), "holds"],
    ["The limits that", {}, none],
    ["The limits that", instead(estimates(0.9, 0.1, 0.9)), "holds"],
    // In A both fail, .17 beside .1: no more runs are alive.
    ["SO-PPO is", {}, "holds if lever = SO-PPO, gradient, trap = B (1 of 6 settings)"],
    ["SO-PPO is", instead(lever("SO-PPO, gradient", 0.17, 0.4, 0.1)), "not shown"],
    ["PPO and GRPO collapse", {}, none],
    // From .5 to -1 is more than a twentieth of Sokoban's span of 10.8.
    [
      "PPO and GRPO collapse",
      { ragen: ragen({ "grpo on Sokoban-v0": { q4: -1 } }) },
      "holds if world = Sokoban-v0, rule = GRPO (1 of 6 settings)",
    ],
    ["PPO and GRPO collapse", { ragen: everywhere(["starPo", "grpo"], { q4: -1 }) }, "holds"],
    ["GRPO does worse", {}, none],
    [
      "GRPO does worse",
      { ragen: ragen({ "grpo on BiArmBandit-v0": { final: 0.4 } }) },
      "holds if world = BiArmBandit-v0 of {BiArmBandit-v0, Sokoban-v0}",
    ],
    ["GRPO does worse", { ragen: everywhere(["grpo"], { final: -1 }) }, "holds"],
    ["Where in-group std", {}, "not shown"],
    [
      "Where in-group std",
      {
        ragen: ragen({
          "grpo on Sokoban-v0": { stdCliff: 40, q4: -1 },
          "starPo on Sokoban-v0": { stdCliff: 40 },
        }),
      },
      "holds if rule = GRPO of {PPO, GRPO}",
    ],
    [
      "Where in-group std",
      { ragen: ragen({ "grpo on Sokoban-v0": { stdCliff: 40, q4: -1 } }) },
      "holds if world = Sokoban-v0, rule = GRPO (the one setting tried)",
    ],
    ["StarPO-S does", {}, none],
    [
      "StarPO-S does",
      { ragen: ragen({ "starPoS on Sokoban-v0": { final: 2 } }) },
      "holds if world = Sokoban-v0 of {BiArmBandit-v0, FrozenLake-v0, Sokoban-v0}",
    ],
    ["StarPO-S does", { ragen: everywhere(["starPoS"], { final: 2 }) }, "holds"],
  ]);
});
