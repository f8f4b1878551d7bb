import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Claim } from "turnwise/internal/plot/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { exactly, gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdict, verdicts } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { criticLags, type CriticLag } from "./creditRun";
import { agenticPomdpEffects as smallest } from "./effects";

/** The advantage of each turn of the trajectory CLOCK, CALL, ANSWER under a rule. */
export interface TurnCredit {
  readonly rule: string;
  readonly clock: number;
  readonly call: number;
  readonly answer: number;
}

const [pair, hiper, verifier] = [
  "RLHF / DPO: the pair 5, 6",
  "HiPER, a segment per turn",
  "verifier of next state",
] as const;

/**
 * Claims about the credit for the call of the calculator, and for the idle turn before it: if some of the group call
 * it, and if all do.
 */
export function workedExampleClaims(
  groups: Readonly<Record<"some call" | "all call", readonly TurnCredit[]>>,
): Claim[] {
  const of = (rule: string, example = groups["some call"]): TurnCredit =>
    example.find((row) => row.rule === rule)!;
  const three = ({ clock, call, answer }: TurnCredit): string =>
    [clock, call, answer].map((x) => x.toFixed(2)).join(" / ");
  const favor = ({ clock, call, answer }: TurnCredit): Effect => exactly(call - Math.max(clock, answer));
  const smallestEffectOfInterest = smallest.exactAdvantage;
  return [
    {
      claim: "GRPO pushes the tool call and an idle token alike",
      source: "note, table 7.3 [N]",
      measured:
        `3^17 mod 41, trajectory CLOCK, CALL, ANSWER: RLHF ${three(of(pair))}, GRPO ${three(of("GRPO"))}, ` +
        `DAPO ${three(of("DAPO"))}`,
      verdict: verdict({
        effect: exactly(of("GRPO").call - of("GRPO").clock),
        claims: "same",
        smallestEffectOfInterest,
      }),
    },
    {
      claim: "StepPO and HiPER give the tool call a higher advantage",
      source: "note, table 7.3 [N]",
      measured:
        "with a table critic of the group, CLOCK / CALL / ANSWER: " +
        Object.entries(groups)
          .map(
            ([group, own]) => `${group}: StepPO ${three(of("StepPO", own))}, HiPER ${three(of(hiper, own))}`,
          )
          .join("; "),
      verdict: verdict({
        conditions: Object.entries(groups).flatMap(([group, own]) =>
          ["StepPO", hiper].map((rule) => ({ setting: { group, rule }, effect: favor(of(rule, own)) })),
        ),
        smallestEffectOfInterest,
      }),
    },
    {
      claim: "A verifier of the next state credits the call itself",
      source: "note, table 7.3 [N], by a verifier instead of a judge",
      measured: `CLOCK / CALL / ANSWER: ${three(of(verifier))}`,
      verdict: verdict({ effect: favor(of(verifier)), smallestEffectOfInterest }),
    },
  ];
}

/** Rules of `creditRules`, by what they are here. */
const groupStd = "GRPO, DAPO: whole return, group std";
const wholeReturn = "Dr.GRPO: whole return";
const toGo = "per turn, rewards from the turn on";
const unbiased = "StepPO, lambda 1, perfect critic";
const stepCritic = (lag: string): string => `StepPO, lambda 0, ${lag}`;

/** Is the credit right? */
export function creditQualityClaims(quality: readonly StoredRecord[]): Claim[] {
  const of = (rule: string, column: string): number[] =>
    quality.filter((row) => row["rule"] === rule).map((row) => Number(row[column]));
  const direction = (rule: string): string => shown(bootstrapInterval(of(rule, "direction")));
  const minus = (a: string, b: string, column: string): Effect =>
    gain(of(a, column), of(b, column), { paired: true });
  const off = {
    none: minus(unbiased, wholeReturn, "direction"),
    "group std": minus(unbiased, groupStd, "direction"),
  };
  const lags = Object.keys(criticLags) as CriticLag[];
  const step = lags.map((lag) => ({ lag, effect: minus(stepCritic(lag), wholeReturn, "oneBatch") }));
  const smallestEffectOfInterest = smallest.cosine;
  const decided = verdicts({
    off: {
      conditions: Object.entries(off).map(([divisor, effect]) => ({
        setting: { "divided by": divisor },
        effect,
      })),
      smallestEffectOfInterest,
    },
    step: {
      conditions: step.map(({ lag, effect }) => ({ setting: { critic: lag }, effect })),
      smallestEffectOfInterest,
    },
  });
  return [
    {
      claim: "Credit for the whole trajectory points the wrong way",
      source: "note, 1.3 [N]",
      measured:
        `${of(wholeReturn, "direction").length} policies, cosine with the exact gradient, all batches: whole return ` +
        `${direction(wholeReturn)}, with group std ${direction(groupStd)}, perfect critic, lambda 1 (unbiased) ` +
        `${direction(unbiased)}; unbiased - whole return ${effectText(off.none)}, - group std ` +
        `${effectText(off["group std"])}; one batch ${shown(bootstrapInterval(of(wholeReturn, "oneBatch")))}`,
      verdict: decided.off,
    },
    {
      claim: "Step-level credit with a critic is better",
      source: "StepPO, arXiv 2604.18401 [S]",
      measured:
        `minus whole return, one batch: ${step.map(({ lag, effect }) => `${lag} ${effectText(effect)}`).join(", ")}; ` +
        `correlation with the exact advantage ` +
        `${effectText(minus(stepCritic("perfect critic"), wholeReturn, "correlation"))}; without a critic, rewards from the ` +
        `turn on: one batch ${effectText(minus(toGo, wholeReturn, "oneBatch"))}`,
      verdict: decided.step,
    },
  ];
}
