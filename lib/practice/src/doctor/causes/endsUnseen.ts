import { short } from "turnwise/internal/base/curve";
import { mean } from "turnwise/internal/base/statistics";
import { valuesOf } from "../../report/klSign";
import { ifKnown } from "../../lint/contract";
import type { View } from "../view";
import { numberIn, type CauseKind } from "./contract";

/** Fewer cut answers may be shorter where the context ends. */
const LEAST = 0.3;
/** Answers of a step are a sample, and a limit may count a token more. */
const SLACK = 0.9;

/** Whether more answers count as cut than the limit can have cut: those that are have its length. */
export function isContradicted(share: number, length: number, limit: number): boolean {
  return share > LEAST && length < SLACK * share * limit;
}

export const endsUnseen: CauseKind = {
  title: "answers end with a token that the trainer does not know as an end, and count as cut",
  section: "cut-answers",
  lesson: "10-language-model",
  basis:
    "arithmetic: answers that are cut have the limit's length, so a lower mean contradicts their share (72)",
  look: (view) => {
    const limit = numberIn(view, "maxResponse");
    const records = view.run?.records ?? [];
    const [shares, lengths] = [valuesOf(records, "tokens/fracTruncated"), valuesOf(records, "tokens/mean")];
    if (limit === undefined || shares.length === 0 || lengths.length === 0) return undefined;
    const [share, length] = [mean(shares), mean(lengths)];
    if (!isContradicted(share, length, limit)) return undefined;
    const masks = view.subject!.has("maskTruncated") && isMasked(view);
    return {
      evidence: [
        `${Math.round(100 * share)}% of answers count as cut at ${limit} tokens, and their mean length is ${short(length)}: at least ${short(share * limit)} if they were`,
        ...(masks ? [`${view.subject!.shown("maskTruncated")} leaves them out of the loss`] : []),
      ],
      weight: 72,
      change: masks ? [{ setting: "maskTruncated", value: false }] : [],
      advice:
        "compare the last token of some answers with the tokenizer's end token: a chat template may end turns with another one, which generation stops at too; give the trainer that one",
    };
  },
};

/** Whether cut answers are known to be left out of the loss. */
const isMasked = ({ subject }: View): boolean => ifKnown(() => subject!.isOn("maskTruncated"), false);
