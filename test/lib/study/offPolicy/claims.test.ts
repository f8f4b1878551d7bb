import { offPolicyClaims, type LeverName, type OffPolicyResults, type StoredRun } from "turnwise/study";
import { threeRuns } from "../storedRun";
import { testVerdicts } from "../support";

const spread = (turnProduct: number, turnGeometric: number): OffPolicyResults["reuse"][number]["spread"] =>
  Object.fromEntries(
    Object.entries({
      token: 1,
      "turn, product": turnProduct,
      "turn, geometric": turnGeometric,
      "trajectory, product": 3,
    }).map(([name, deviation]) => [name, { deviation, outside: 0.1 }]),
  );
const reuse = (clipBiasNorm: number, form = spread(1.7, 0.6)): OffPolicyResults["reuse"] => [
  { step: 0, spread: form, gradNorm: 0.2, clipBiasNorm: 0 },
  { step: 16, spread: form, gradNorm: 0.1, clipBiasNorm },
];
/** Biases with a standard error of .1: below .2 there is none. */
const judged = (biases: Readonly<Record<string, number>>): OffPolicyResults["judged"] =>
  Object.entries(biases).map(([name, bias]) => ({ name, bias, noise: 0.1, deviation: 1, error: 1 }));
const biases = {
  "trajectory, product": 0.1,
  token: 0.4,
  "turn, geometric": 0.4,
  "trajectory, geometric": 0.5,
  "token, clipped": 0.9,
  "turn, geometric, clipped": 0.4,
};
const grains = (sgd: number, adam: number): OffPolicyResults["grains"] =>
  new Map(
    Object.entries({ sgd, adam }).flatMap(([optimiser, trajectory]) => [
      [`${optimiser}, token`, [0.8, 0.8]],
      [`${optimiser}, turn`, [0.7, 0.7]],
      [`${optimiser}, trajectory`, [trajectory, trajectory]],
    ]),
  );

const changes = { "Adam .1": "adam=0.1", "Adam .3": "adam=0.3", "SGD 8": "sgd=8", "SGD 32": "sgd=32" };
const widening = ["turn ratio geometric", "SO-GRPO, KL", "SO-GRPO, gradient", "1 step per batch"] as const;
/** GRPO ends at .5 everywhere; a lever as told for "lever, point", else at .5 as well. */
const runs = (ends: Readonly<Record<string, number>>, o: { stopped?: string } = {}): StoredRun[] => [
  ...Object.entries(changes).flatMap(([point, change]) =>
    (["vanilla", ...widening] as const).flatMap((lever) =>
      threeRuns({
        ...{ trap: "sane", lever, change, final: ends[`${lever}, ${point}`] ?? 0.5 },
        stoppedAt: o.stopped === `${lever}, ${point}` ? 7 : null,
      }),
    ),
  ),
  ...(
    ["vanilla", "gradient clip", "dual clip 3", "turn ratio geometric", "turn ratio arithmetic"] as const
  ).flatMap((lever) =>
    ["logProbNoise=0.1", "logProbNoise=0.2", ""].flatMap((change) =>
      threeRuns({ trap: "mismatch", lever, change, final: ends[`${lever}, ${change || "noise"}`] ?? 0.5 }),
    ),
  ),
];
const everywhere = (lever: LeverName, final = 0.8): Record<string, number> =>
  Object.fromEntries(Object.keys(changes).map((point) => [`${lever}, ${point}`, final]));

const base: OffPolicyResults = {
  outside40: { product: 0.7, geometric: 0 },
  reuse: reuse(0.2),
  judged: judged(biases),
  grains: grains(0.5, 0.8),
  runs: runs({
    "turn ratio geometric, noise": 0.8,
    "gradient clip, noise": 0.8,
    ...everywhere("1 step per batch"),
    "SO-GRPO, KL, Adam .1": 0.8,
  }),
};

describe("the claims about off-policy stability", () => {
  const noGain = "not reproduced: no gain whose interval excludes 0";
  const widens = "Turn-level ratios widen";
  const byPenalty = "Clipping-triggered normalisation widens it, penalty";
  const byGradient = "Clipping-triggered normalisation widens it, gradient";
  testVerdicts(offPolicyClaims, base, [
    ["The spread", {}, "holds"],
    ["The spread", { reuse: reuse(0.2, spread(0.9, 0.6)) }, "not reproduced"],
    ["The spread", { reuse: reuse(0.2, spread(1.7, 1.1)) }, "not reproduced"],
    ["The gradient that", {}, "holds"],
    ["The gradient that", { reuse: reuse(0.05) }, "holds only if steps are large"],
    ["The product over", {}, "holds"],
    ["The product over", { judged: judged({ ...biases, "trajectory, product": 0.2 }) }, "not reproduced"],
    [
      "The product over",
      { judged: judged({ ...biases, token: 0.1, "turn, geometric": 0.1, "trajectory, geometric": 0.1 }) },
      "holds only if the policies are far enough apart to see a bias",
    ],
    [
      "A turn's geometric ratio",
      {},
      "holds only if both are clipped at the same range, which cuts fewer means: less bias, about the same error",
    ],
    ["A turn's geometric ratio", { judged: judged({ ...biases, "turn, geometric": 0.1 }) }, "holds"],
    [
      "A turn's geometric ratio",
      { judged: judged({ ...biases, "turn, geometric, clipped": 0.9 }) },
      "not reproduced: bias and error are alike",
    ],
    [
      "Token ratios",
      {},
      "holds only if the clip removes most of a trajectory's product: not with every optimiser",
    ],
    ["Token ratios", { grains: grains(0.5, 0.5) }, "holds"],
    ["Token ratios", { grains: grains(0.8, 0.8) }, "not reproduced: the intervals contain 0"],
    ["Turn-level geometric ratios", {}, "holds only if single tokens have wild ratios"],
    ["Turn-level geometric ratios", { runs: runs({}) }, "not reproduced: the interval contains 0"],
    ["The arithmetic mean", {}, "not reproduced: an arithmetic mean keeps its outliers"],
    ["The arithmetic mean", { runs: runs({ "turn ratio arithmetic, noise": 0.8 }) }, "holds"],
    ["It takes a new ratio", {}, "not reproduced: an ordinary clip of the gradient or a dual clip does it"],
    ["It takes a new ratio", { runs: runs({}) }, "holds"],
    [widens, {}, noGain],
    [widens, { runs: runs(everywhere("turn ratio geometric")) }, "holds"],
    [byPenalty, {}, "holds only if the steps are those of Adam .1"],
    [byPenalty, { runs: runs({}) }, noGain],
    // A gain of runs that stopped before their end is none.
    [
      byGradient,
      { runs: runs({ "SO-GRPO, gradient, SGD 8": 0.8 }) },
      "holds only if the steps are those of SGD 8",
    ],
    [
      byGradient,
      { runs: runs({ "SO-GRPO, gradient, SGD 8": 0.8 }, { stopped: "SO-GRPO, gradient, SGD 8" }) },
      noGain,
    ],
    ["Fewer steps", {}, "holds"],
    ["Fewer steps", { runs: runs({}) }, noGain],
    ["Small mismatch", {}, "holds only if the noise is .5 nats"],
    ["Small mismatch", { runs: runs({ "gradient clip, logProbNoise=0.1": 0.8 }) }, "holds"],
    ["Small mismatch", { runs: runs({}) }, "not reproduced"],
  ]);
});
