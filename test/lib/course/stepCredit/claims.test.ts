import type { StoredRecord } from "turnwise-course";
import { stepCreditClaims } from "turnwise-course/internal/08-step-credit/claims";
import type { StepCreditResults } from "turnwise-course/internal/08-step-credit/claims";
import { testVerdicts } from "../support";

// Ten seeds find and ten confirm; a little scatter, as no interval has no width.
const seeds = [...Array.from({ length: 10 }, (_, k) => k), ...Array.from({ length: 10 }, (_, k) => 20 + k)];
const near = (value: number, seed: number): number => value + ((seed % 5) - 2) * 0.002;

const turns = (gained: number): StoredRecord[] =>
  Object.entries({ "whole return": 0.5, "four tries": 0.5 + gained, "exact advantage": 0.7 }).flatMap(
    ([method, value]) =>
      seeds.map((seed) => ({ method, seed, oneBatch: near(value, seed * (value > 0.5 ? 3 : 1)) })),
  );

const reading = (of: Readonly<Record<string, readonly [blind: number, reader: number]>>): StoredRecord[] =>
  ["information gain", "implicit reward"].flatMap((arm) =>
    ["with", "without"].flatMap((paid) =>
      [0, 1].flatMap((level) =>
        seeds.map((seed) => {
          const scores = paid === "with" ? of[arm]! : ([0.25, 0.25] as const);
          return {
            arm,
            paid,
            reading: level,
            seed,
            score: near(scores[level]!, seed + (paid === "with" ? 1 : 0)),
          };
        }),
      ),
    ),
  );

type Judged = readonly [score: number, falseSteps: number];
const judged = (of: Readonly<Record<string, Judged>>): StoredRecord[] =>
  ["verdict on the sign", "votes"].flatMap((arm) =>
    Object.entries(of).flatMap(([judge, [score, falseSteps]]) =>
      seeds.map((seed) => ({
        ...{ world: "LookUp-v0", arm, judge, seed },
        score: near(score, seed + 2),
        falseSteps: near(falseSteps, seed + 2),
      })),
    ),
  );
const outcome: StoredRecord[] = ["verdict on the sign", "votes"].flatMap((arm) =>
  seeds.map((seed) => ({
    world: "LookUp-v0",
    arm,
    seed,
    score: near(0.25, seed),
    falseSteps: near(0.7, seed),
  })),
);
const judges = (never: Judged, random: number, distrusts: number): StoredRecord[] =>
  judged({
    "never errs": never,
    "errs at random, 20 %": [random, 0.1],
    "errs at random, 40 %": [random, 0.1],
    "distrusts answers": [distrusts, 0.1],
  });
const flips = (flipped: number): StepCreditResults["flips"] => [{ reading: 0, plain: 1, flipped }];

const falses = (
  atHalf: readonly [own: number, other: number],
  end: readonly [own: number, other: number],
  score = 0.9,
): StoredRecord[] =>
  ["LookUp", "Calculator", "Calculator, votes"].flatMap((setting) =>
    ["with", "without"].flatMap((paid, side) =>
      seeds.map((seed) => ({
        ...{ setting, paid, seed },
        score: near(paid === "with" ? score : 0.5, seed + side),
        falseSteps: near(end[side]!, seed + side),
        // Both pass .5: one stays there, the other goes on.
        scores: `0 0.5 ${paid === "with" ? 0.9 : 0.5}`,
        falses: `1 ${near(atHalf[side]!, seed + side)} ${end[side]!}`,
      })),
    ),
  );

const anything = (
  of: Readonly<Record<string, number>>,
  judge: readonly [learning: number, fixed: number] = [0.9, 0.8],
): StoredRecord[] =>
  Object.entries({
    "no votes": 0.4,
    "judge fixed": 0.6,
    "tasks fixed": 0.6,
    "outcome alone": 0.2,
    ...of,
  }).flatMap(([arm, score], k) =>
    seeds.map((seed) => ({
      ...{ world: "TMaze-v0", arm, seed },
      bySteps: near(score, seed + k),
      byOptimiser: near(score, seed + k),
      judge: near(arm === "judge fixed" ? judge[1] : judge[0], seed + k),
    })),
  );

describe("the claims about step credit", () => {
  testVerdicts<StepCreditResults>(
    (results) => Object.values(stepCreditClaims(results)).flat(),
    {
      turns: turns(0.2),
      reading: reading({ "information gain": [0.25, 0.9], "implicit reward": [0.25, 0.9] }),
      outcome,
      judged: judges([0.9, 0.1], 0.9, 0),
      flips: flips(0.8),
      falses: falses([0.2, 0.4], [0.1, 0.4]),
      anything: anything({ "all parts": 0.9 }),
    },
    [
      ["Crediting single turns", {}, "holds if method = four tries (the one setting tried)"],
      ["Crediting single turns", { turns: turns(0) }, "no effect that matters"],
      ["Paying for information gain", {}, "holds if reading = 1 of {0, 1}"],
      [
        "Paying for information gain",
        { reading: reading({ "information gain": [0.25, 0.25], "implicit reward": [0.25, 0.9] }) },
        "no effect that matters",
      ],
      ["An implicit reward", {}, "holds if reading = 1 of {0, 1}"],
      [
        "An implicit reward",
        { reading: reading({ "information gain": [0.25, 0.9], "implicit reward": [0.1, 0.1] }) },
        "refuted",
      ],
      ["A judge of single steps teaches", {}, "holds"],
      [
        "A judge of single steps teaches",
        { judged: judges([0.25, 0.1], 0.25, 0.25) },
        "no effect that matters",
      ],
      ["Turning signs by verdicts", {}, "holds if world = LookUp-v0 (the one setting tried)"],
      ["Turning signs by verdicts", { judged: judges([0.9, 0.7], 0.9, 0) }, "no effect that matters"],
      [
        "A judge that errs spoils",
        {},
        "holds if judge = distrusts answers of {errs at random, 20 %; errs at random, 40 %; distrusts answers}",
      ],
      ["A judge that errs spoils", { judged: judges([0.9, 0.1], 0.9, 0.9) }, "no effect that matters"],
      ["Turning signs by true verdicts", {}, "refuted"],
      [
        "Turning signs by true verdicts",
        { flips: flips(0.999) },
        "holds if reading = 0 (the one setting tried)",
      ],
      ["At the same success, signs", {}, "holds"],
      ["At the same success, signs", { falses: falses([0.4, 0.4], [0.1, 0.4]) }, "no effect that matters"],
      ["At the end of training, signs", {}, "holds"],
      ["At the end of training, signs", { falses: falses([0.2, 0.4], [0.4, 0.4]) }, "no effect that matters"],
      ["In the Calculator, too", {}, "holds"],
      ["In the Calculator, too", { falses: falses([0.2, 0.4], [0.1, 0.4], 0.1) }, "refuted"],
      ["Votes on turns add", {}, "holds"],
      ["Votes on turns add", { anything: anything({ "all parts": 0.4 }) }, "no effect that matters"],
      ["A judge that learns adds", {}, "holds"],
      ["A judge that learns adds", { anything: anything({ "all parts": 0.6 }) }, "no effect that matters"],
      ["Adapted tasks beat fixed ones", {}, "holds"],
      [
        "Adapted tasks beat fixed ones",
        { anything: anything({ "all parts": 0.6, "no votes": 0.5 }) },
        "holds if paid = outcome alone of {votes, outcome alone}",
      ],
      ["All parts together beat", {}, "holds"],
      ["All parts together beat", { anything: anything({ "all parts": 0.1 }) }, "refuted"],
      ["By its own votes", {}, "holds if world = TMaze-v0 (the one setting tried)"],
      [
        "By its own votes",
        { anything: anything({ "all parts": 0.9 }, [0.8, 0.8]) },
        "no effect that matters",
      ],
    ],
  );
});
