import { short } from "turnwise/internal/base/curve";
import { mean } from "turnwise/internal/base/statistics";
import { belowZero, klTitles, valuesOf } from "../../report/klSign";
import type { View } from "../view";
import { Undecided } from "../../lint/contract";
import { eventInWords, eventsIn, lintInWords, lintOf, precedence, timing, type CauseKind } from "./contract";

/** A mean of log-ratios over sampled tokens scatters around a number that is not below 0. */
const BELOW = -0.05;
/** A policy that is its reference has a KL of 0 there, but for noise. */
const AT_START = 0.01;

/** The estimator of the KL that the log has, where the configuration says it. */
function estimatorOf({ config, subject }: View): string | undefined {
  if (config === undefined || subject === undefined || !subject.has("klLossEstimator")) return undefined;
  try {
    return /^(k2|k3|mse|low_var_kl)/.test(subject.text("klLossEstimator") ?? "")
      ? subject.shown("klLossEstimator")
      : undefined;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/**
 * A KL below 0, for longer than its estimate scatters: k1, a mean of log-ratios, is below 0 in single steps of every run that stays near its
 * reference. Over tokens that the policy itself sampled, its mean is a KL, which cannot be.
 */
export const negativeKl: CauseKind = {
  title: "the KL counts tokens that the policy did not sample, or its sign is reversed",
  section: "kl-below-zero",
  lesson: "06-agentic-pomdp",
  basis:
    "arithmetic: the mean over the policy's own tokens is a KL, which is not below 0 (70); 42 to 55 where it is below by little, or is another KL than the reference's",
  look: (view) => {
    const { run } = view;
    const [fall] = eventsIn(view, ["policy/klReference"], false).filter(({ extreme }) => extreme < BELOW);
    const [reference, ...others] = (["policy/klReference", "policy/approxKl", "mismatch/kl"] as const).map(
      (metric) => belowZero(run?.records ?? [], metric),
    );
    const below = [reference, ...others].filter((one) => one !== undefined);
    if (fall === undefined && below.length === 0) return undefined;
    const estimator = reference || fall ? estimatorOf(view) : undefined;
    // A wrong sign needs a policy that has moved: where it began both signs give 0.
    const start = reference?.start ?? mean(valuesOf(run?.records ?? [], "policy/klReference").slice(0, 3));
    const isReversed = fall !== undefined && Math.abs(start) < AT_START;
    const strong = fall !== undefined || (reference !== undefined && reference.mean < BELOW);
    return {
      evidence: [
        ...(fall === undefined ? [] : [eventInWords(fall)]),
        ...below.map(
          ({ metric, mean: average, share }) =>
            `${klTitles[metric]} is ${short(average)} as a mean over the run, and below 0 in ${Math.round(100 * share)}% of steps`,
        ),
        "over tokens that the policy sampled its mean cannot be below 0; single steps of k1 near 0 can",
        ...(isReversed
          ? [
              "it began at 0 and fell as the policy moved: so does the reference's log-prob minus the policy's, which pays for leaving",
            ]
          : []),
        ...(estimator === undefined ? [] : [`with ${estimator} no token counts below 0`]),
        ...lintOf(view, "tool-tokens-trained", "truncated-sampling", "low-temperature").map(lintInWords),
      ],
      weight:
        (strong ? 70 : reference !== undefined ? 55 : 42) +
        (fall ? timing(view, fall) + precedence(view, fall) : 0),
      change: lintOf(view, "tool-tokens-trained")[0]?.change ?? [],
      advice:
        "it must be the policy's log-prob minus the reference's; leave out of the KL and of the loss what tools and environments wrote and what is padding; then check that log-probs are computed at the temperature, top-p and padding side that answers were sampled with",
    };
  },
};
