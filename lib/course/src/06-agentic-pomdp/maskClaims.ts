import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Claim } from "turnwise/internal/plot/index";
import type { RetrievedTokens } from "turnwise/internal/train/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { shown } from "turnwise/internal/verdict/words";
import { agenticPomdpEffects as smallest } from "./effects";

const paired = (a: readonly number[], b: readonly number[]): Effect => gain(a, b, { paired: true });
const text = (values: readonly number[]): string => shown(bootstrapInterval(values));

/** Claims about training when the environment's tokens are in the loss. */
export function maskClaims(retrieved: readonly StoredRecord[]): Claim[] {
  const of = (words: number, kind: RetrievedTokens, column: string): number[] =>
    retrieved
      .filter((row) => row["words"] === words && row["retrieved"] === kind)
      .map((row) => Number(row[column]));
  const answers = { bare: 0, "eight words": 8 } as const;
  const gap = (column: string, sign: 1 | -1) =>
    Object.entries(answers).map(([name, words]) => {
      const [masked, trained] = [of(words, "masked", column), of(words, "trained", column)];
      return { name, effect: sign > 0 ? paired(trained, masked) : paired(masked, trained) };
    });
  const fall = Object.entries(answers).map(([name, words]) => ({
    name,
    effect: paired(of(words, "trained", "before"), of(words, "trained", "success")),
  }));
  const [average, success, forged] = [gap("average", -1), gap("success", -1), gap("forged", 1)];
  const both = (gaps: readonly { readonly name: string; readonly effect: Effect }[]): string =>
    gaps.map(({ name, effect }) => `${name} ${effectText(effect)}`).join(", ");
  const settings = (
    gaps: readonly { readonly name: string; readonly effect: Effect }[],
    more: Readonly<Record<string, string>> = {},
  ) => gaps.map(({ name, effect }) => ({ setting: { answers: name, ...more }, effect }));
  const decided = verdicts({
    collapse: { conditions: settings(fall), smallestEffectOfInterest: smallest.score },
    helps: {
      conditions: [
        ...settings(average, { success: "mean of all updates" }),
        ...settings(success, { success: "at the end" }),
      ],
      smallestEffectOfInterest: smallest.score,
    },
    forges: { conditions: settings(forged), smallestEffectOfInterest: smallest.share },
  });
  return [
    {
      claim: "Without the mask training collapses at once",
      source: "note, 4.4 [N]",
      measured:
        `${of(0, "trained", "success").length} seeds, success without the mask, at the end: ` +
        `bare ${text(of(0, "trained", "success"))}, eight words ${text(of(8, "trained", "success"))}; ` +
        `fall since the start: ${both(fall)}`,
      verdict: decided.collapse,
    },
    {
      claim: "Masking retrieved tokens helps",
      source: "Search-R1, arXiv 2503.09516 [P]",
      measured: `success, masked - trained, mean of all updates: ${both(average)}; at the end: ${both(success)}`,
      verdict: decided.helps,
    },
    {
      claim: "Without the mask the policy forges answers",
      source: "this notebook",
      measured: `forged turns, trained - masked: ${both(forged)}`,
      verdict: decided.forges,
    },
  ];
}
