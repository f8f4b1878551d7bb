import type { Claim } from "turnwise/internal/plot/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import { numbers, paired, text } from "../shared/samples";
import type { StoredRecord } from "../shared/storedTable";
import { exactly, gainInHalves, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdict, verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import { anythingClaims } from "./anythingClaims";
import type { FlipPoint } from "./drawFlip";
import { stepCreditEffects as smallest } from "./effects";
import { falseStepClaims } from "./falseStepClaims";

/** Evidence for the claims about step credit: stored tables, and biases by enumeration. */
export interface StepCreditResults {
  readonly turns: readonly StoredRecord[];
  readonly reading: readonly StoredRecord[];
  readonly outcome: readonly StoredRecord[];
  readonly judged: readonly StoredRecord[];
  readonly flips: readonly FlipPoint[];
  readonly falses: readonly StoredRecord[];
  readonly anything: readonly StoredRecord[];
}

/** All claims, by what they are about. */
export type StepCreditLedger = Readonly<
  Record<"turns" | "reading" | "judges" | "falseSteps" | "anything", readonly Claim[]>
>;

/** Seeds below it find, the others confirm. */
const CONFIRM_FROM = 20;

const where = (
  rows: readonly StoredRecord[],
  wanted: Readonly<Record<string, string | number>>,
): StoredRecord[] =>
  rows.filter((row) => Object.entries(wanted).every(([name, value]) => row[name] === value));

const seeded = (rows: readonly StoredRecord[], column: string): SeedValue[] =>
  rows.map((row) => ({ seed: Number(row["seed"]), value: Number(row[column]) }));

/** All claims of lesson 08 and its appendix. */
export function stepCreditClaims(results: StepCreditResults): StepCreditLedger {
  return {
    turns: [straightness(results.turns)],
    reading: readingClaims(results.reading),
    judges: [...judgeClaims(results), flipClaim(results.flips)],
    falseSteps: falseStepClaims(results.falses),
    anything: anythingClaims(results.anything),
  };
}

/** Ways of crediting turns, against the whole return. */
function straightness(turns: readonly StoredRecord[]): Claim {
  const of = (method: string): number[] => numbers(where(turns, { method }), "oneBatch");
  const methods = [...new Set(turns.map((row) => String(row["method"])))].filter(
    (method) => method !== "whole return" && method !== "exact advantage",
  );
  const gained = methods.map((method) => ({
    method,
    effect: paired(of(method), of("whole return")),
  }));
  return {
    claim: "Crediting single turns makes one batch point straighter than the whole return",
    source: "this notebook",
    measured:
      `Calculator, ${of("whole return").length} half-trained agents, cosine of one batch: whole return ` +
      `${text(of("whole return"))}, exact advantage ${text(of("exact advantage"))}; gained: ` +
      gained.map(({ method, effect }) => `${method} ${effectText(effect)}`).join(", "),
    verdict: verdict({
      conditions: gained.map(({ method, effect }) => ({ setting: { method }, effect })),
      smallestEffectOfInterest: smallest.cosine,
    }),
  };
}

/** The two step rewards that ask a policy: their own, or a second one. */
function readingClaims(reading: readonly StoredRecord[]): Claim[] {
  const levels = [...new Set(numbers(reading, "reading"))].sort((a, b) => a - b);
  const of = (arm: string, paid: string, level: number): StoredRecord[] =>
    where(reading, { arm, paid, reading: level });
  const conditions = (arm: string): Condition[] =>
    levels.map((level) => ({
      setting: { reading: level },
      effect: gainInHalves(
        seeded(of(arm, "with", level), "score"),
        seeded(of(arm, "without", level), "score"),
        { confirmFrom: CONFIRM_FROM },
      ),
    }));
  const gained = (arm: string): string =>
    levels
      .map((level) => {
        const score = (paid: string): number[] => numbers(of(arm, paid, level), "score");
        return `${level} nats ${effectText(paired(score("with"), score("without")))}`;
      })
      .join(", ");
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    gain: { conditions: conditions("information gain"), smallestEffectOfInterest },
    implicit: { conditions: conditions("implicit reward"), smallestEffectOfInterest },
  });
  return [
    {
      claim: "Paying for information gain teaches the agent to look things up",
      source: "IGPO, arXiv 2510.14967 [P]",
      measured: `LookUp, success gained over the outcome alone, by how well results can be read: ${gained("information gain")}`,
      verdict: decided.gain,
    },
    {
      claim: "An implicit reward, learned from pairs, teaches it too",
      source: "iStar, arXiv 2509.19199 [P]",
      measured: `LookUp, success gained over the outcome alone: ${gained("implicit reward")}`,
      verdict: decided.implicit,
    },
  ];
}

/** Judges of single steps: what they teach, and what their errors cost. */
function judgeClaims({ outcome, judged }: Pick<StepCreditResults, "outcome" | "judged">): Claim[] {
  const worlds = [...new Set(judged.map((row) => String(row["world"])))];
  const arms = [...new Set(judged.map((row) => String(row["arm"])))];
  const settings = worlds.flatMap((world) => arms.map((arm) => ({ world, arm })));
  const score = (
    setting: Readonly<Record<string, string>>,
    judge: string,
    column = "score",
  ): StoredRecord[] => where(judged, { ...setting, judge }).map((row) => ({ ...row, value: row[column]! }));
  const halves = (a: readonly StoredRecord[], b: readonly StoredRecord[], column = "score") =>
    gainInHalves(seeded(a, column), seeded(b, column), { confirmFrom: CONFIRM_FROM });
  const effect = (a: readonly StoredRecord[], b: readonly StoredRecord[], column = "score"): Effect =>
    paired(numbers(a, column), numbers(b, column));
  const errors = ["errs at random, 20 %", "errs at random, 40 %", "distrusts answers"];
  const said = (of: (setting: Readonly<Record<string, string>>) => Effect): string =>
    settings.map((setting) => `${setting.world}, ${setting.arm} ${effectText(of(setting))}`).join("; ");
  const decided = verdicts({
    taught: {
      conditions: settings.map((setting) => ({
        setting,
        effect: halves(score(setting, "never errs"), where(outcome, setting)),
      })),
      smallestEffectOfInterest: smallest.score,
    },
    fewer: {
      conditions: worlds.map((world) => {
        const setting = { world, arm: "verdict on the sign" };
        return {
          setting: { world },
          effect: halves(where(outcome, setting), score(setting, "never errs"), "falseSteps"),
        };
      }),
      smallestEffectOfInterest: smallest.falseSteps,
    },
    spoiled: {
      conditions: errors.flatMap((judge) =>
        settings.map((setting) => ({
          setting: { judge, ...setting },
          effect: halves(score(setting, "never errs"), score(setting, judge)),
        })),
      ),
      smallestEffectOfInterest: smallest.score,
    },
  });
  return [
    {
      claim: "A judge of single steps teaches the tool where the outcome alone does not",
      source: "RLAnything, arXiv 2602.02488 [P]; FSPO, arXiv 2505.24630 [P]",
      measured: `success gained, a judge that never errs: ${said((setting) => effect(score(setting, "never errs"), where(outcome, setting)))}`,
      verdict: decided.taught,
    },
    {
      claim: "Turning signs by verdicts makes fewer steps false",
      source: "FSPO, arXiv 2505.24630 [P]",
      measured:
        "share of false steps saved: " +
        worlds
          .map((world) => {
            const setting = { world, arm: "verdict on the sign" };
            return `${world} ${effectText(effect(where(outcome, setting), score(setting, "never errs"), "falseSteps"))}`;
          })
          .join(", "),
      verdict: decided.fewer,
    },
    {
      claim: "A judge that errs spoils the training",
      source: "this notebook",
      measured: errors
        .map(
          (judge) =>
            `${judge}, success lost: ${said((setting) => effect(score(setting, "never errs"), score(setting, judge)))}`,
        )
        .join("; "),
      verdict: decided.spoiled,
    },
  ];
}

/** Claim about the effect of turning signs on the expected gradient. */
function flipClaim(flips: readonly FlipPoint[]): Claim {
  return {
    claim: "Turning signs by true verdicts leaves the expected gradient where it pointed",
    source: "this notebook",
    measured:
      "LookUp, exact cosine with the gradient of the return: " +
      flips.map(({ reading, flipped }) => `${reading} nats ${flipped.toFixed(3)}`).join(", "),
    verdict: verdict({
      conditions: flips.map(({ reading, flipped, plain }) => ({
        setting: { reading },
        effect: exactly(flipped - plain),
      })),
      claims: "no loss",
      smallestEffectOfInterest: smallest.exactCosine,
    }),
  };
}
