import { clear, found, unknown, type Change, type Finding } from "../contract";
import type { Subject } from "../subject";

function limitOf(s: Subject): number | undefined {
  try {
    return s.number("maxResponse");
  } catch {
    return undefined;
  }
}

/** A constant divisor, where the trainer has it. */
function byTrainer(s: Subject): readonly Change[] {
  const word = {
    verl: "seq-mean-token-sum-norm",
    skyrl: "seq_mean_token_sum_norm",
    trl: "dr_grpo",
    openrlhf: "seq-mean-token-mean",
    "prime-rl": null,
  }[s.trainer];
  return word === null ? [] : [{ setting: "aggregate", value: word }];
}

export const tokenMeanLongFailures: Finding = {
  title: "A mean over tokens weighs long failures most",
  severity: "note",
  confidence: "possible",
  why: "In a mean over all tokens a trajectory counts by its length. If failures ramble, most of the gradient comes from pushing their tokens down, and pushing down is what raises entropy.",
  source: "DAPO, arXiv 2503.14476, section 3.3 (why it is chosen); RAGEN, arXiv 2504.20073",
  lesson: "10-language-model",
  check: (s) => {
    const { aggregate } = s.rule;
    if (aggregate.kind !== "tokenMean") return clear;
    const limit = limitOf(s);
    if (limit === undefined || limit < 4096) {
      return unknown(
        "the loss is a mean over tokens; whether failures are longer than successes, only a log or rollouts say",
      );
    }
    return found(`a mean over tokens, with answers of up to ${limit} tokens`, byTrainer(s), {
      advice: "compare the lengths of failures and successes first",
    });
  },
};
