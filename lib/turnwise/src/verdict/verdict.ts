import { makeVerdict, type Verdict, type VerdictParts } from "../base/verdict";
import { conditionOf, textOf, type Setting } from "./condition";
import { judgeOf, type Claimed, type Decision, type Evidence, type Judge } from "./decide";
import { holmLevels } from "./holm";

/** Measurement in one of the settings of a claim. */
export type Condition = Evidence &
  Terms & {
    readonly setting: Setting;
  };

/** On what terms evidence is judged. A condition may have its own, where its figures are of another kind. */
interface Terms {
  /** The smallest effect that would matter, named before the data is seen; for counterexamples, the largest share that would not. */
  readonly smallestEffectOfInterest?: number;
  /** Statement of the claim: a gain (the default), that nothing changes, or that nothing is lost. */
  readonly claims?: Claimed;
}

/** Question about a verdict. */
export type Question = (Evidence | { readonly conditions: readonly Condition[] }) &
  Terms & {
    /** Other comparisons of the same family, made beside these; `verdicts` decides several claims as one family. */
    readonly comparisons?: readonly Evidence[];
  };

/**
 * The verdict on a claim, from data alone.
 *
 * The effect is signed in the direction of the claim; d is the smallest effect of interest; the interval has coverage .95.
 *
 * | verdict                | the claim is a gain              | `claims: "same"`  | `claims: "no loss"` |
 * | ---------------------- | -------------------------------- | ----------------- | ------------------- |
 * | too few seeds          | below five                       | below five        | below five          |
 * | holds                  | all of the interval above +d     | within +-d        | not below -d        |
 * | no effect that matters | within +-d                       | -                 | -                   |
 * | refuted                | below 0, and not within +-d      | outside +-d       | below -d            |
 * | not shown              | anything else                    | anything else     | anything else       |
 *
 * With `conditions`, the claim is judged in each setting: it holds in all, or "holds if" with the settings in which it does. Where it
 * holds in none, settings that agree give their verdict; a claim refuted in one and nowhere open is refuted; else it is not shown.
 * Two halves (`gainInHalves`) must say the same. All that was sampled for a claim, with `comparisons`, is one family:
 * Holm's procedure, whose level each interval has.
 *
 * Without an effect: `{ equal, of }` holds where all are equal. `{ found, searched }` claims that there is a case: one shows it, and
 * without one it is "no effect that matters" if the exact binomial interval leaves at most d of all cases.
 * `{ counterexamples, searched }` claims that there is none: one refutes it, and without one it holds by the same bound.
 *
 * @throws {RangeError} if there is nothing to judge, no smallest effect is named for what was measured, or an interval that is given
 * at one level stands in a family
 * @example
 * import { gain, verdict } from "turnwise/verdict";
 * const [row, other] = [[0.9, 1, 0.9, 1, 0.8], [0.2, 0.4, 0.3, 0.3, 0.2]];
 * const conditions = [
 *   { setting: { learningRate: 0.1 }, effect: gain(other, other) },
 *   { setting: { learningRate: 0.3 }, effect: gain(row, other) },
 * ];
 * verdict({ conditions, smallestEffectOfInterest: 0.05 }).text; // => "holds if learningRate = .3 of {.1, .3}"
 */
export function verdict(question: Question): Verdict {
  return verdicts({ one: question }).one;
}

/** The verdicts on several claims whose comparisons are one family: Holm over all that was sampled for any of them. */
export function verdicts<K extends string>(
  questions: Readonly<Record<K, Question>>,
): Readonly<Record<K, Verdict>> {
  const asked = (Object.keys(questions) as K[]).map((name) => {
    const { smallestEffectOfInterest, claims = "gain", comparisons = [] } = questions[name];
    const judge = (evidence: Evidence & Terms): Judge =>
      judgeOf(
        evidence,
        evidence.smallestEffectOfInterest ?? smallestEffectOfInterest,
        evidence.claims ?? claims,
      );
    const cases = casesOf(questions[name]);
    const own = cases.map((one) => ({
      setting: "setting" in one ? one.setting : undefined,
      terms: "setting" in one ? termsOf(one) : [],
      judge: judge(one),
    }));
    return { name, own, beside: comparisons.map(judge) };
  });
  const family = asked.flatMap(({ own, beside }) => [...own.map((one) => one.judge), ...beside]);
  const count = family.filter(({ sampled }) => sampled).length;
  if (count > 1 && family.some(({ fixed }) => fixed)) {
    throw new RangeError(
      `Cannot judge a family: each effect must have an interval at every level, as gain(), above() and share() give, ` +
        `but one of ${count} is given at one level.`,
    );
  }
  const levels = holmLevels(family);
  const levelOf = new Map(family.map((judge, i) => [judge, levels[i]!]));
  const entries = asked.map(({ name, own }): [K, Verdict] => {
    const decided = own.map(({ setting, terms, judge }): Decided => {
      const { kind, reason } = judge.decide(levelOf.get(judge)!);
      return { setting, kind, reason: [reason, ...terms].join(", ") };
    });
    const isSampled = own.some(({ judge }) => judge.sampled);
    const { kind, text, reason } = mergeObjects(decided);
    return [
      name,
      makeVerdict({
        kind,
        text,
        reason: [reason, ...termsOf(questions[name])].join("; "),
        family: isSampled && count > 1 ? `Holm over ${count}` : null,
      }),
    ];
  });
  return Object.fromEntries(entries) as Readonly<Record<K, Verdict>>;
}

function termsOf({ smallestEffectOfInterest: smallest, claims }: Terms): string[] {
  return [
    ...(smallest === undefined ? [] : [`smallest effect of interest ${smallest}`]),
    ...(claims === undefined || claims === "gain" ? [] : [`claimed: ${claims}`]),
  ];
}

function casesOf(question: Question): readonly (Evidence | Condition)[] {
  if (!("conditions" in question)) return [question];
  if (question.conditions.length > 0) return question.conditions;
  throw new RangeError(
    "Cannot decide a claim: it must be tested in at least one setting, but conditions is empty.",
  );
}

interface Decided {
  readonly setting: Setting | undefined;
  readonly kind: Decision;
  readonly reason: string;
}

function mergeObjects(decided: readonly Decided[]): Omit<VerdictParts, "family"> {
  const [first] = decided as [Decided];
  if (first.setting === undefined) return { kind: first.kind, text: first.kind, reason: first.reason };
  const settings = decided.map(({ setting }) => setting!);
  const reason = decided.map((one) => `${textOf(one.setting!)}: ${one.kind}, ${one.reason}`).join("; ");
  const holding = decided.filter(({ kind }) => kind === "holds").map(({ setting }) => setting!);
  if (holding.length === decided.length && decided.length > 1)
    return { kind: "holds", text: "holds", reason };
  if (holding.length > 0)
    return { kind: "holds if", text: `holds if ${conditionOf(settings, holding)}`, reason };
  const kind = nowhere(decided.map((one) => one.kind));
  return { kind, text: kind, reason };
}

/** The verdict on a claim that holds in none of its settings. */
function nowhere(kinds: readonly Decision[]): Decision {
  const distinct = new Set(kinds);
  if (distinct.size === 1) return kinds[0]!;
  if (distinct.has("too few seeds") || distinct.has("not shown")) return "not shown";
  return "refuted";
}
