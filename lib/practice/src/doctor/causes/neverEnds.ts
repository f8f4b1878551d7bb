import { short } from "turnwise/internal/base/curve";
import { hasRisen } from "../../report/learned";
import { valuesOf } from "../../report/klSign";
import { lintInWords, lintOf, type CauseKind } from "./contract";

/** The least share of answers that are cut at every step, and so many steps. */
const ALL = 0.95;
const FEWEST = 3;

export const neverEnds: CauseKind = {
  title: "no answer ends by itself: the prompts lack the chat template, or the model has not learned to stop",
  section: "cut-answers",
  lesson: "10-language-model",
  basis:
    "threads: 2 of 60, of 4 where all answers were cut at every step (70, so below the limit itself; 25 where success rises all the same)",
  look: (view) => {
    const { run } = view;
    const shares = valuesOf(run?.records ?? [], "tokens/fracTruncated");
    if (run === undefined || shares.length < FEWEST || Math.min(...shares) < ALL) return undefined;
    const lengths = valuesOf(run.records, "tokens/mean");
    const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
    const long =
      lengths.length === 0 ? "" : `, after ${short(least)}${most > least ? ` to ${short(most)}` : ""} tokens`;
    const config = lintOf(view, "plain-prompts");
    return {
      evidence: [
        `at least ${Math.round(100 * Math.min(...shares))}% of answers are cut at each of ${shares.length} steps${long}`,
        ...config.map(lintInWords),
      ],
      weight: hasRisen(run.records) === true ? 25 : 70 + 10 * config.length,
      change: [],
      advice:
        "print a prompt as the model gets it, and an answer to its end: an instruction-tuned model needs its chat template, which TRL applies only to prompts that are lists of messages; a base model needs a stop string, or examples that end",
    };
  },
};
