import { rewardSignalClaims, type RewardSignalResults, type StoredRow } from "turnwise/study";
import { testVerdicts } from "../support";

const seeds = [0, 1, 2];
const optimum = (J: number, low: number, high: number): { J: number; low: number; high: number } => ({
  ...{ J, low, high },
});
const costly = (proxyHigh: number, verificationJ = 0.9): RewardSignalResults["costly"] => ({
  outcome: optimum(0.9, 1, 1),
  verification: optimum(verificationJ, 1, 1),
  proxy: optimum(0.5, 0.25, proxyHigh),
});
const mixed = (enough: number): RewardSignalResults["mixed"] =>
  [0, 0.1, 0.3].map((weight) => ({ weight, reward: 0.5, score: weight >= enough ? 1 : 0.25 }));

/** Three seeds of every arm, alike: [score and payment at the first update, at the last]. */
const climb = (
  arms: Readonly<Record<string, readonly [first: number, last: number, paid?: number]>>,
): StoredRow[] =>
  Object.entries(arms).flatMap(([arm, [first, last, paid = 0.9]]) =>
    seeds.flatMap((seed) => [
      { arm, seed, update: 20, score: first, paid: 0.5, kl: 0 },
      { arm, seed, update: 400, score: last, paid, kl: 1 },
    ]),
  );
const arms = {
  proxy: [0.6, 0.2],
  "proxy, KL .1": [0.6, 0.5],
  "proxy, KL 1": [0.6, 0.6],
  outcome: [0.6, 0.9],
} as const;

/** Three seeds of every reward and credit, alike; .25 where nothing is told. */
const paid = (scores: Readonly<Record<string, number>> = {}): StoredRow[] =>
  ["outcome", "checklist", "verification"].flatMap((reward) =>
    ["trajectory", "rewardToGo", "reward"].flatMap((credit) =>
      seeds.map((seed) => ({ reward, credit, seed, score: scores[`${reward}, ${credit}`] ?? 0.25 })),
    ),
  );
const learned = { "checklist, trajectory": 0.8, "checklist, reward": 0.9, "verification, reward": 0.7 };

/** Three seeds of every arm, alike: the return on the hardest maze at updates 10 and 150. */
const mazes = (of: Readonly<Record<string, readonly [number, number]>>): StoredRow[] =>
  Object.entries(of).flatMap(([arm, [first, last]]) =>
    seeds.flatMap((seed) => [
      { arm, seed, update: 10, hardest: first },
      { arm, seed, update: 150, hardest: last },
    ]),
  );
const same = { equal: 2, of: 2 };

const base: RewardSignalResults = {
  free: optimum(1, 0, 1),
  costly: costly(0.25),
  mixed: mixed(0.3),
  goodhart: climb(arms),
  calculator: paid(learned),
  codebreaker: paid({ "outcome, trajectory": 0.05, "checklist, trajectory": 0.1, "checklist, reward": 0.1 }),
  curriculum: mazes({ adaptive: [0.2, 0.9], uniform: [0.5, 0.9], "hardest only": [0, 0.1] }),
  again: { goodhart: same, rewards: same, curriculum: same },
};

describe("the claims of the reward signal", () => {
  const contains0 = "not reproduced: the interval contains 0";
  testVerdicts(rewardSignalClaims, base, [
    ["An agent that is optimal", {}, "holds"],
    ["An agent that is optimal", { costly: costly(0.5) }, "not reproduced"],
    ["Verification on the way", {}, "holds"],
    ["Verification on the way", { costly: costly(0.25, 0.8) }, "not reproduced"],
    ["A little truth", {}, "holds only if the weight is 0.3 or more: the proxy is given up in steps"],
    ["A little truth", { mixed: mixed(0.1) }, "holds"],
    ["The true score falls", {}, "holds"],
    ["The true score falls", { goodhart: climb({ ...arms, proxy: [0.2, 0.2] }) }, contains0],
    ["The true score falls", { goodhart: climb({ ...arms, proxy: [0.6, 0.2, 0.5] }) }, contains0],
    ["A KL penalty", {}, "holds only if one gives up on improving: the agent stays near where it started"],
    ["A KL penalty", { goodhart: climb({ ...arms, "proxy, KL .1": [0.6, 0.2] }) }, contains0],
    ["A sparse outcome", {}, "not reproduced: it stays at the blind guess"],
    ["A sparse outcome", { calculator: paid({ "outcome, trajectory": 0.31 }) }, "holds"],
    ["A checklist teaches", {}, "holds"],
    ["A checklist teaches", { calculator: paid() }, contains0],
    [
      "Automatic verification",
      {},
      "holds only if each turn is credited with its own reward: a rule that sums it up sees nothing",
    ],
    ["Automatic verification", { calculator: paid() }, "not reproduced: the intervals contain 0"],
    ["Credit per turn", {}, "holds only if there is a reward on the way to credit"],
    ["Credit per turn", { calculator: paid() }, contains0],
    [
      "A checklist helps",
      {},
      "holds only if a few hundredths over the outcome count: no arm is clear of the blind guess, 1/9",
    ],
    ["A checklist helps", { codebreaker: paid({ "checklist, reward": 0.12 }) }, "holds"],
    [
      "A checklist helps",
      {
        codebreaker: paid({
          "outcome, trajectory": 0.1,
          "checklist, trajectory": 0.1,
          "checklist, reward": 0.1,
        }),
      },
      "not reproduced: nothing is clear of the blind guess, 1/9",
    ],
    ["An adaptive curriculum", {}, "holds"],
    [
      "An adaptive curriculum",
      { curriculum: mazes({ adaptive: [0.2, 0.1], uniform: [0.2, 0.9], "hardest only": [0, 0.1] }) },
      contains0,
    ],
    ["It beats a uniform", {}, "not reproduced: the mixture is faster and ends as high"],
    [
      "It beats a uniform",
      { curriculum: mazes({ adaptive: [0.6, 0.9], uniform: [0.5, 0.9], "hardest only": [0, 0.1] }) },
      "holds",
    ],
    [
      "It beats a uniform",
      { curriculum: mazes({ adaptive: [0.5, 0.9], uniform: [0.5, 0.9], "hardest only": [0, 0.1] }) },
      contains0,
    ],
    ["Stored runs", {}, "holds"],
    [
      "Stored runs",
      { again: { ...base.again, curriculum: { equal: 0, of: 1 } } },
      "not reproduced: another version of the library?",
    ],
  ]);
});
