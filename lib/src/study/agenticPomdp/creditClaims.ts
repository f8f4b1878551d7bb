import { difference } from "../../base/difference";
import { bootstrapInterval, type Interval } from "../../base/interval";
import type { Claim } from "../../plot";
import type { StoredRow } from "../storedTable";
import { above0, shown } from "../verdict";

/** The advantage of each turn of the trajectory CLOCK, CALL, ANSWER under a rule. */
export interface TurnCredit {
  readonly rule: string;
  readonly clock: number;
  readonly call: number;
  readonly answer: number;
}

/** Who credits the call of the calculator, and who the idle turn before it. */
export function workedExampleClaims(example: readonly TurnCredit[]): Claim[] {
  const of = (rule: string): TurnCredit => example.find((row) => row.rule === rule)!;
  const three = (rule: string): string => {
    const { clock, call, answer } = of(rule);
    return [clock, call, answer].map((x) => x.toFixed(2)).join(" / ");
  };
  const favoursCall = (rule: string): boolean => of(rule).call > Math.max(of(rule).clock, of(rule).answer);
  const [pair, hiper, verifier] = [
    "RLHF / DPO: the pair 5, 6",
    "HiPER, a segment per turn",
    "verifier of next state",
  ] as const;
  return [
    {
      claim: "GRPO pushes the tool call and an idle token alike",
      source: "note, table 7.3 [N]",
      measured:
        `3^17 mod 41, trajectory CLOCK, CALL, ANSWER: RLHF ${three(pair)}, GRPO ${three("GRPO")}, ` +
        `DAPO ${three("DAPO")}`,
      verdict: Math.abs(of("GRPO").clock - of("GRPO").call) > 1e-9 ? "not reproduced" : "holds",
    },
    {
      claim: "StepPO and HiPER give the tool call a higher advantage",
      source: "note, table 7.3 [N]",
      measured:
        `with a table critic of the group, CLOCK / CALL / ANSWER: ` +
        `StepPO ${three("StepPO")}, HiPER ${three(hiper)}`,
      verdict:
        favoursCall("StepPO") && favoursCall(hiper)
          ? "holds only if the critic did not expect the call"
          : "not reproduced",
    },
    {
      claim: "A verifier of the next state credits the call itself",
      source: "note, table 7.3 [N], by a verifier instead of a judge",
      measured: `CLOCK / CALL / ANSWER: ${three(verifier)}`,
      verdict: favoursCall(verifier) ? "holds" : "not reproduced",
    },
  ];
}

/** Rules of `creditRules`, by what they are here. */
const groupStd = "GRPO, DAPO: whole return, group std";
const wholeReturn = "Dr.GRPO: whole return";
const toGo = "per turn, rewards from the turn on";
const unbiased = "StepPO, lambda 1, perfect critic";
const stepCritic = "StepPO, lambda 0, perfect critic";

/** Is the credit right? */
export function creditQualityClaims(quality: readonly StoredRow[]): Claim[] {
  const of = (rule: string, column: string): number[] =>
    quality.filter((row) => row["rule"] === rule).map((row) => Number(row[column]));
  const direction = (rule: string): string => shown(bootstrapInterval(of(rule, "direction")));
  const minus = (a: string, b: string, column: string): Interval =>
    difference(of(a, column), of(b, column), { paired: true });
  const straight = minus(wholeReturn, unbiased, "direction");
  const bent = minus(groupStd, wholeReturn, "direction");
  const step = minus(stepCritic, wholeReturn, "oneBatch");
  return [
    {
      claim: "Credit for the whole trajectory points the wrong way",
      source: "note, 1.3 [N]",
      measured:
        `20 policies, cosine with the exact gradient, all batches: whole return ${direction(wholeReturn)}, ` +
        `with group std ${direction(groupStd)}, perfect critic, lambda 1 (unbiased) ${direction(unbiased)}; ` +
        `whole return - unbiased ${shown(straight)}, std - no std ${shown(bent)}; ` +
        `one batch ${shown(bootstrapInterval(of(wholeReturn, "oneBatch")))}`,
      verdict:
        straight.low <= -0.05
          ? "holds"
          : bent.high < 0
            ? "holds only if it is divided by the group's std: without, it is noisy, not wrong"
            : "not reproduced: it is noisy, not wrong",
    },
    {
      claim: "Step-level credit with a critic is better",
      source: "StepPO, arXiv 2604.18401 [S]",
      measured:
        `minus whole return: one batch ${shown(step)}, correlation with the exact advantage ` +
        `${shown(minus(stepCritic, wholeReturn, "correlation"))}; without a critic, rewards from the turn on: ` +
        `one batch ${shown(minus(toGo, wholeReturn, "oneBatch"))}`,
      verdict: above0(step, { then: "holds only if the critic is good: this one is perfect" }),
    },
  ];
}
