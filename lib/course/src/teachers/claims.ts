import { log } from "turnwise/internal/base/elementary/log";
import type { Claim } from "turnwise/internal/plot/ledger";
import { mean } from "turnwise/internal/base/statistics";
import { across } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { above, gainInHalves, type Halves, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { teacherEffects as smallest } from "./effects";
import { oldReferenceClaims } from "./oldReferenceClaims";

/** The stored tables of the study; those named old have the policy that samples as the reference. */
export interface TeacherTables {
  readonly distil: readonly StoredRecord[];
  readonly boundary: readonly StoredRecord[];
  readonly calibration: readonly StoredRecord[];
  readonly samplers: readonly StoredRecord[];
  readonly oldCalibration: readonly StoredRecord[];
  readonly oldSamplers: readonly StoredRecord[];
}

/** Seeds below find, the others confirm. */
const CONFIRM_FROM = 20;

/** Claims about teachers, demonstrations and partition functions, decided on stored runs. */
export function teacherClaims(tables: TeacherTables): Claim[] {
  return [
    ...distilClaims(tables.distil),
    ...boundaryClaims(tables.boundary),
    ...partitionClaims(tables.calibration, tables.samplers),
    ...oldReferenceClaims(tables.oldCalibration, tables.oldSamplers),
  ];
}

type Where = Readonly<Record<string, string | number>>;

function values(
  table: readonly StoredRecord[],
  where: Where,
  column: string,
  f = (x: number): number => x,
): SeedValue[] {
  return table
    .filter((row) => Object.entries(where).every(([name, value]) => row[name] === value))
    .map((row) => ({ seed: Number(row["seed"]), value: f(Number(row[column])) }));
}

const worldsOf = (table: readonly StoredRecord[]): string[] => [
  ...new Set(table.map((row) => String(row["world"]))),
];

/** The gain of one arm over another in each world. */
function gains(
  table: readonly StoredRecord[],
  [own, other]: readonly [own: string, other: string],
  column: string,
  f?: (x: number) => number,
): Readonly<Record<string, Halves>> {
  return Object.fromEntries(
    worldsOf(table).map((world) => [
      world,
      gainInHalves(
        values(table, { world, arm: own }, column, f),
        values(table, { world, arm: other }, column, f),
        { confirmFrom: CONFIRM_FROM },
      ),
    ]),
  );
}

/** Means of two arms in each world: "KeyDoor-v0 .85 against .94". */
function means(
  table: readonly StoredRecord[],
  [own, other]: readonly [own: string, other: string],
  column: string,
): string {
  const of = (where: Where): string =>
    String(Number(mean(values(table, where, column).map(({ value }) => value)).toPrecision(3)));
  return worldsOf(table)
    .map((world) => `${world} ${of({ world, arm: own })} against ${of({ world, arm: other })}`)
    .join(", ");
}

function distilClaims(table: readonly StoredRecord[]): Claim[] {
  const byTeacher = ["on-policy distillation", "imitation"] as const;
  const byReward = ["on-policy distillation", "GRPO"] as const;
  // Where some runs never came so far, their costs are not known: those worlds are reported by the number that did.
  const always = worldsOf(table).filter((world) =>
    byReward.every((arm) => values(table, { world, arm }, "reached").every(({ value }) => value === 1)),
  );
  const both = table.filter((row) => always.includes(String(row["world"])));
  const decided = verdicts({
    slip: {
      conditions: across("world", gains(table, byTeacher, "afterSlip")),
      smallestEffectOfInterest: smallest.score,
    },
    path: {
      conditions: across("world", gains(table, byTeacher, "score")),
      smallestEffectOfInterest: smallest.score,
    },
    reached: {
      conditions: across("world", gains(table, byReward, "reached")),
      smallestEffectOfInterest: smallest.score,
    },
    tokens: {
      conditions: across(
        "world",
        gains(both, byReward, "tokensToTarget", (x) => -log(x)),
      ),
      smallestEffectOfInterest: smallest.logCost,
    },
  });
  return [
    {
      claim:
        "Exposure bias: after a random first turn, on-policy distillation earns more than imitation with as many tokens",
      source: "GKD, 2306.13649; Thinking Machines Lab (2025) [P]",
      measured: `score after a slip: ${means(table, byTeacher, "afterSlip")}`,
      verdict: decided.slip,
    },
    {
      claim: "Without the slip, too, it earns more than imitation with as many tokens",
      source: "GKD, 2306.13649 [P]",
      measured: `score: ${means(table, byTeacher, "score")}`,
      verdict: decided.path,
    },
    {
      claim: "It comes to a score of .8 within 60 updates more often than GRPO",
      source: "Thinking Machines Lab (2025) [P]",
      measured: `share of runs: ${means(table, byReward, "reached")}`,
      verdict: decided.reached,
    },
    {
      claim: "Where both come there, it needs fewer tokens",
      source: "Thinking Machines Lab (2025) [P]",
      measured: `tokens to .8: ${means(both, byReward, "tokensToTarget")}`,
      verdict: decided.tokens,
    },
  ];
}

function boundaryClaims(table: readonly StoredRecord[]): Claim[] {
  const collapse = ["before training", "GRPO"] as const;
  const both = ["RL-PLUS", "GRPO"] as const;
  const shown = ["RL-PLUS", "RL-PLUS, nothing shown"] as const;
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    collapse: { conditions: across("world", gains(table, collapse, "passAt64")), smallestEffectOfInterest },
    both: { conditions: across("world", gains(table, both, "passAt64")), smallestEffectOfInterest },
    shown: { conditions: across("world", gains(table, shown, "passAt64")), smallestEffectOfInterest },
  });
  return [
    {
      claim:
        "Rewards alone shrink what a policy can do at all: pass@64 of GRPO falls below that before training",
      source: "RL-PLUS, 2508.00222 [P]",
      measured: `pass@64 before against after: ${means(table, collapse, "passAt64")}`,
      verdict: decided.collapse,
    },
    {
      claim: "RL-PLUS keeps more of it: its pass@64 is above GRPO's",
      source: "RL-PLUS, 2508.00222 [P]",
      measured: `pass@64: ${means(table, both, "passAt64")}; tasks within reach: ${means(table, both, "support")}`,
      verdict: decided.both,
    },
    {
      claim: "It is the demonstrations that do it, not the other cells of its row",
      source: "RL-PLUS, 2508.00222 [P]",
      measured: `pass@64 with against without them: ${means(table, shown, "passAt64")}`,
      verdict: decided.shown,
    },
  ];
}

function partitionClaims(calibration: readonly StoredRecord[], samplers: readonly StoredRecord[]): Claim[] {
  const betas = [...new Set(calibration.map((row) => Number(row["beta"])))];
  const looks = [0, 20, 80];
  const error = (column: string): { setting: { beta: number; update: number }; effect: Halves }[] =>
    betas.flatMap((beta) =>
      looks.map((update) => {
        const all = values(calibration, { beta, update }, column);
        const half = (own: (seed: number) => boolean) =>
          above(
            all.filter(({ seed }) => own(seed)).map(({ value }) => value),
            0,
          );
        return {
          setting: { beta, update },
          effect: {
            find: half((seed) => seed < CONFIRM_FROM),
            confirm: half((seed) => seed >= CONFIRM_FROM),
          },
        };
      }),
    );
  const errorText = (column: string): string =>
    betas
      .map((beta) => {
        const at = looks.map((update) =>
          mean(values(calibration, { beta, update }, column).map(({ value }) => value)).toFixed(3),
        );
        return `beta ${beta}: ${at.join(", ")}`;
      })
      .join("; ");
  const sampler = (other: string): Halves =>
    gainInHalves(
      values(samplers, { arm: "partition" }, "meanHardest"),
      values(samplers, { arm: other }, "meanHardest"),
      { confirmFrom: CONFIRM_FROM },
    );
  const decided = verdicts({
    exact: {
      conditions: error("exactError"),
      claims: "same",
      smallestEffectOfInterest: smallest.accuracy,
    },
    fitted: {
      conditions: error("fittedError"),
      claims: "same",
      smallestEffectOfInterest: smallest.accuracy,
    },
    sampler: { effect: sampler("counted"), smallestEffectOfInterest: smallest.score },
    uniform: { effect: sampler("uniform"), smallestEffectOfInterest: smallest.score },
  });
  const hardest = (arm: string): string =>
    mean(values(samplers, { arm }, "meanHardest").map(({ value }) => value)).toFixed(3);
  const updates = `at updates ${looks.join(", ")}`;
  return [
    {
      claim:
        "beta log Z is the accuracy of the policy, on the way to the optimum as well (reference: the frozen start)",
      source: "PACED-RL, 2602.12642 [P] [S]",
      measured: `beta log Z - accuracy ${updates}: ${errorText("exactError")}`,
      verdict: decided.exact,
    },
    {
      claim: "So is the Z that trajectory balance fits",
      source: "derived [D]",
      measured: `beta log Z - accuracy ${updates}: ${errorText("fittedError")}`,
      verdict: decided.fitted,
    },
    {
      claim:
        "A curriculum drawn by the fitted Z learns the hardest level sooner than one that counts successes",
      source: "PACED-RL, 2602.12642 [P]",
      measured: `mean return on the hardest of six levels over the run: ${hardest("partition")} against ${hardest("counted")}`,
      verdict: decided.sampler,
    },
    {
      claim: "It learns it sooner than one that draws all levels alike",
      source: "PACED-RL, 2602.12642 [P]",
      measured: `the same: ${hardest("partition")} against ${hardest("uniform")}`,
      verdict: decided.uniform,
    },
  ];
}
