import type { Claim } from "turnwise/internal/plot/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import { numbers, paired } from "../shared/samples";
import type { StoredRecord } from "../shared/storedTable";
import {
  gain,
  gainInHalves,
  type Effect,
  type Halves,
  type SeedValue,
} from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { stepCreditEffects as smallest } from "./effects";
import { atEqualScore, type AtEqualScore, type Course } from "./equalScore";

/** Seeds below it find, the others confirm. */
const CONFIRM_FROM = 20;

/** The same seed with a judge and without it, where both score alike. */
export interface EqualPair extends AtEqualScore {
  readonly seed: number;
}

const courseOf = (row: StoredRecord): Course => {
  const list = (column: string): number[] => String(row[column]).split(" ").map(Number);
  return { scores: list("scores"), falseSteps: list("falses") };
};

const runsOf = (rows: readonly StoredRecord[], setting: string, paid: string): StoredRecord[] =>
  rows.filter((row) => row["setting"] === setting && row["paid"] === paid);

/** The pairs of a setting: rows of `datasets/measured/step-false.csv`. */
export function equalPairs(rows: readonly StoredRecord[], setting: string): EqualPair[] {
  const without = new Map(runsOf(rows, setting, "without").map((row) => [row["seed"], row]));
  return runsOf(rows, setting, "with").flatMap((row) => {
    const other = without.get(row["seed"]);
    return other === undefined
      ? []
      : [{ seed: Number(row["seed"]), ...atEqualScore(courseOf(row), courseOf(other)) }];
  });
}

/** Number of false steps that a pair saves by its judge, in both halves of the seeds. */
function savedAtEqualScore(pairs: readonly EqualPair[]): Halves & { readonly all: Effect } {
  const saved = (own: readonly EqualPair[]): Effect =>
    gain(
      own.map(({ falseSteps }) => falseSteps[1]),
      own.map(({ falseSteps }) => falseSteps[0]),
      { paired: true },
    );
  const half = (own: readonly EqualPair[]): Effect | undefined => (own.length === 0 ? undefined : saved(own));
  return {
    find: half(pairs.filter(({ seed }) => seed < CONFIRM_FROM)),
    confirm: half(pairs.filter(({ seed }) => seed >= CONFIRM_FROM)),
    all: saved(pairs),
  };
}

/**
 * Claims about the effect of a judge of single steps on false steps and on success, in two worlds: rows of
 * `datasets/measured/step-false.csv`.
 */
export function falseStepClaims(rows: readonly StoredRecord[]): Claim[] {
  const settings = [...new Set(rows.map((row) => String(row["setting"])))];
  const signs = settings.filter((setting) => !setting.endsWith("votes"));
  const second = settings.filter((setting) => setting.startsWith("Calculator"));
  const seeded = (setting: string, paid: string, column: string): SeedValue[] =>
    runsOf(rows, setting, paid).map((row) => ({
      seed: Number(row["seed"]),
      value: Number(row[column]),
    }));
  const halves = (setting: string, [own, other]: readonly [string, string], column: string): Halves =>
    gainInHalves(seeded(setting, own, column), seeded(setting, other, column), { confirmFrom: CONFIRM_FROM });
  const by = (setting: string, [own, other]: readonly [string, string], column: string): string =>
    effectText(
      paired(numbers(runsOf(rows, setting, own), column), numbers(runsOf(rows, setting, other), column)),
    );
  const pairs = new Map(signs.map((setting) => [setting, equalPairs(rows, setting)]));
  const reached = (setting: string): string => {
    const own = pairs.get(setting)!;
    return (own.reduce((sum, { score }) => sum + score, 0) / own.length).toFixed(2);
  };
  const decided = verdicts({
    equal: {
      conditions: signs.map((setting) => ({
        setting: { world: setting },
        effect: savedAtEqualScore(pairs.get(setting)!),
      })),
      smallestEffectOfInterest: smallest.falseSteps,
    },
    end: {
      conditions: signs.map((setting) => ({
        setting: { world: setting },
        effect: halves(setting, ["without", "with"], "falseSteps"),
      })),
      smallestEffectOfInterest: smallest.falseSteps,
    },
    taught: {
      conditions: second.map((setting) => ({
        setting: { arm: setting.endsWith("votes") ? "votes" : "verdict on the sign" },
        effect: halves(setting, ["with", "without"], "score"),
      })),
      smallestEffectOfInterest: smallest.score,
    },
  });
  return [
    {
      claim: "At the same success, signs turned by verdicts make fewer steps false",
      source: "FSPO, arXiv 2505.24630 [P]",
      measured:
        "share of false steps saved where both first come to the highest success of both: " +
        signs
          .map(
            (setting) =>
              `${setting} ${effectText(savedAtEqualScore(pairs.get(setting)!).all)} at success ${reached(setting)}`,
          )
          .join("; "),
      verdict: decided.equal,
    },
    {
      claim: "At the end of training, signs turned by verdicts make fewer steps false",
      source: "FSPO, arXiv 2505.24630 [P]",
      measured: `share of false steps saved: ${signs.map((setting) => `${setting} ${by(setting, ["without", "with"], "falseSteps")}`).join("; ")}`,
      verdict: decided.end,
    },
    {
      claim: "In the Calculator, too, a judge that never errs teaches more than the outcome alone",
      source: "RLAnything, arXiv 2602.02488 [P]; FSPO, arXiv 2505.24630 [P]",
      measured: `success gained: ${second.map((setting) => `${setting.endsWith("votes") ? "votes" : "verdict on the sign"} ${by(setting, ["with", "without"], "score")}`).join("; ")}`,
      verdict: decided.taught,
    },
  ];
}
