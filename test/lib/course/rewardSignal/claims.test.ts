import { goodhartArms, rewardSignalClaims, verifiers } from "turnwise-course/reward-signal";
import { type StoredRecord } from "turnwise-course";
import type { RewardSignalResults } from "turnwise-course/internal/07-reward-signal/claims";
import { testVerdicts } from "../support";

const seeds = [0, 1, 2, 3, 4, 5, 6, 7];
const optimum = (J: number, low: number, high: number): { J: number; low: number; high: number } => ({
  ...{ J, low, high },
});
const costly = (proxyLow: number, verificationJ = 0.9): RewardSignalResults["costly"] => ({
  outcome: optimum(0.9, 1, 1),
  verification: optimum(verificationJ, 1, 1),
  proxy: optimum(0.5, proxyLow, 1),
});
const mixed = (enough: number): RewardSignalResults["mixed"] =>
  [0, 0.1, 0.3].map((weight) => ({ weight, reward: 0.5, score: weight >= enough ? 1 : 0.25 }));

type Climb = readonly [first: number, last: number, paid?: number];
/** Seeds of every arm, alike: [score at the first update and at the last, payment at the last]. */
const climb = (change: Readonly<Record<string, Climb>> = {}): StoredRecord[] =>
  Object.keys(goodhartArms).flatMap((arm) => {
    const [first, last, paid = 0.9] =
      change[arm] ?? (arm === "proxy" ? [0.6, 0.2] : arm === "outcome" ? [0.6, 0.9] : [0.6, 0.6]);
    return seeds.flatMap((seed) => [
      { arm, seed, update: 20, score: first, paid: 0.5, kl: 0 },
      { arm, seed, update: 400, score: last, paid, kl: 1 },
    ]);
  });
const k3 = { "proxy, k3 .1": [0.6, 0.2], "proxy, k3 1": [0.6, 0.2] } as const;
const penalties = Object.keys(goodhartArms).filter((arm) => arm.startsWith("proxy, "));
const allPenalties = (climbed: Climb): Record<string, Climb> =>
  Object.fromEntries(penalties.map((arm) => [arm, climbed]));

/** Seeds of every reward and credit, alike; .25 where nothing is told. */
const paid = (scores: Readonly<Record<string, number>> = {}): StoredRecord[] =>
  ["outcome", "checklist", "verification"].flatMap((reward) =>
    ["trajectory", "rewardToGo", "reward"].flatMap((credit) =>
      seeds.map((seed) => ({ reward, credit, seed, score: scores[`${reward}, ${credit}`] ?? 0.25 })),
    ),
  );
const learned = {
  "checklist, trajectory": 0.8,
  "checklist, rewardToGo": 0.8,
  "checklist, reward": 0.9,
  "verification, reward": 0.7,
};
const code = (trajectory: number, reward: number): StoredRecord[] =>
  paid({
    "outcome, trajectory": 0.1,
    "outcome, reward": 0.1,
    "checklist, trajectory": trajectory,
    "checklist, reward": reward,
  });

/** Seeds of every arm, alike: the return on the hardest maze at updates 10 and 150. */
const mazes = (of: Readonly<Record<string, readonly [number, number]>>): StoredRecord[] =>
  Object.entries(of).flatMap(([arm, [first, last]]) =>
    seeds.flatMap((seed) => [
      { arm, seed, update: 10, hardest: first },
      { arm, seed, update: 150, hardest: last },
    ]),
  );
const same = { equal: 2, of: 2 };

/** Seeds of every verifier, alike: the true score at the end; 1 where nothing is told. */
const trusted = (scores: Readonly<Record<string, number>> = {}): StoredRecord[] =>
  Object.keys(verifiers).flatMap((verifier) =>
    seeds.flatMap((seed) => [
      { verifier, seed, update: 10, paid: 0, score: 0.25 },
      { verifier, seed, update: 200, paid: 1, score: scores[verifier] ?? 1 },
    ]),
  );
/** Optima of every verifier, all of them honest but for those whose lowest true score is told. */
const optima = (low: Readonly<Record<string, number>> = {}): RewardSignalResults["trusted"] => ({
  "never errs": optimum(1, low["never errs"] ?? 1, 1),
  "errs at random": optimum(0.75, low["errs at random"] ?? 1, 1),
  "errs twice as often": optimum(0.5, low["errs twice as often"] ?? 1, 1),
  "always accepts 2": optimum(1, low["always accepts 2"] ?? 1, 1),
});

const base: RewardSignalResults = {
  free: optimum(1, 0, 1),
  costly: costly(0.25),
  mixed: mixed(0.3),
  goodhart: climb(),
  calculator: paid(learned),
  codebreaker: code(0.13, 0.13),
  curriculum: mazes({ adaptive: [0.2, 0.9], uniform: [0.5, 0.9], "hardest only": [0, 0.1] }),
  verifier: trusted(),
  trusted: optima(),
  again: { goodhart: same, rewards: same, curriculum: same, verifier: same },
};

describe("the claims of the reward signal", () => {
  const none = "no effect that matters";
  testVerdicts(rewardSignalClaims, base, [
    ["An agent that is optimal", {}, "holds"],
    ["An agent that is optimal", { costly: costly(0.6) }, "holds if calls = free of {free, cost .1}"],
    ["An agent that is optimal", { free: optimum(1, 0.7, 1), costly: costly(0.6) }, "refuted"],
    ["Verification on the way", {}, "holds"],
    ["Verification on the way", { costly: costly(0.25, 0.8) }, "refuted"],
    ["A little truth", {}, "holds if weight = .3 of {0, .1, .3}"],
    ["A little truth", { mixed: mixed(0.1) }, "holds if weight = .1 or .3 of {0, .1, .3}"],
    ["Who climbs the proxy", {}, "holds"],
    ["Who climbs the proxy", { goodhart: climb({ proxy: [0.2, 0.17] }) }, none],
    ["The proxy rises", {}, "holds"],
    ["The proxy rises", { goodhart: climb({ proxy: [0.6, 0.2, 0.5] }) }, none],
    ["A KL penalty", {}, "holds"],
    ["A KL penalty", { goodhart: climb(k3) }, "holds if estimator = exact of {exact, k3}"],
    ["A KL penalty", { goodhart: climb(allPenalties([0.6, 0.2])) }, none],
    ["With the penalty", {}, none],
    [
      "With the penalty",
      { goodhart: climb({ "proxy, exact KL .1": [0.6, 0.8], "proxy, k3 .1": [0.6, 0.8] }) },
      "holds if coef = .1 of {.1, 1}",
    ],
    ["A sparse outcome", {}, none],
    [
      "A sparse outcome",
      { calculator: paid({ "outcome, trajectory": 0.31 }) },
      "holds if credit = trajectory of {trajectory, rewardToGo, reward}",
    ],
    ["A checklist teaches", {}, "holds"],
    ["A checklist teaches", { calculator: paid() }, none],
    ["Automatic verification", {}, "holds if credit = reward of {trajectory, rewardToGo, reward}"],
    ["Automatic verification", { calculator: paid() }, none],
    [
      "Credit per turn",
      {},
      "holds if reward = checklist or verification of {outcome, checklist, verification}",
    ],
    ["Credit per turn", { calculator: paid() }, none],
    ["A checklist helps", {}, "holds if world = Calculator-v0 of {Calculator-v0, Codebreaker-v0}"],
    ["A checklist helps", { codebreaker: code(0.2, 0.2) }, "holds"],
    ["An adaptive curriculum", {}, "holds"],
    [
      "An adaptive curriculum",
      { curriculum: mazes({ adaptive: [0.2, 0.1], uniform: [0.2, 0.9], "hardest only": [0, 0.1] }) },
      none,
    ],
    ["It ends higher", {}, none],
    [
      "It ends higher",
      { curriculum: mazes({ adaptive: [0.2, 0.9], uniform: [0.5, 0.7], "hardest only": [0, 0.1] }) },
      "holds",
    ],
    ["It is faster", {}, "refuted"],
    [
      "It is faster",
      { curriculum: mazes({ adaptive: [0.7, 0.9], uniform: [0.5, 0.9], "hardest only": [0, 0.1] }) },
      "holds",
    ],
    ["A verifier that fails leaves", {}, "holds"],
    [
      "A verifier that fails leaves",
      { trusted: optima({ "always accepts 2": 0.25 }) },
      "holds if verifier = never errs or errs at random or errs twice as often of " +
        "{never errs, errs at random, errs twice as often, always accepts 2}",
    ],
    ["A verifier that fails spoils", {}, none],
    [
      "A verifier that fails spoils",
      { verifier: trusted({ "always accepts 2": 0.2 }) },
      "holds if verifier = always accepts 2 of {errs at random, errs twice as often, always accepts 2}",
    ],
    ["Stored runs", {}, "holds"],
    ["Stored runs", { again: { ...base.again, curriculum: { equal: 0, of: 1 } } }, "refuted"],
  ]);
});
