import type { Recipe } from "../../rule";
import type { Finding } from "./finding";
import { samples } from "./samples";
import { tokenGradient } from "./tokenGradient";

/** The rule's numbers on both sample rollouts. */
function numbersOf(rule: Recipe): readonly number[] {
  return samples.flatMap(({ rollout }) => {
    const { loss, advantage_ntl, dLogProb_ntl } = tokenGradient(rule, rollout);
    return [loss, ...advantage_ntl, ...dLogProb_ntl];
  });
}

/**
 * Asks the rule now, and again when the function that this returns is called: one that remembers its calls answers otherwise
 * after those of all other checks.
 */
export function askNow(rule: Recipe): () => Finding {
  let before: readonly number[] | undefined;
  try {
    before = numbersOf(rule);
  } catch {
    // What it throws is reported by the check that it is about.
  }
  return () => {
    const check = "repeats";
    if (before === undefined)
      return { check, verdict: "told", sentence: "Not run: the rule throws.", figures: {} };
    const after = numbersOf(rule);
    const i = after.findIndex((x, k) => !Object.is(x, before[k]));
    if (i < 0) {
      const sentence = "Asked again after all other checks, it gives the same numbers.";
      return { check, verdict: "passed", sentence, figures: {} };
    }
    return {
      check,
      verdict: "failed",
      sentence: `Asked again after all other checks, it gives other numbers for the same batch: ${before[i]}, then ${after[i]}.`,
      hint:
        "A function remembers its calls, in a variable outside of itself. Runs of several seeds then begin unlike each other; " +
        "compute everything from the arguments.",
      figures: {},
    };
  };
}
