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

/** A KL that is summed over an answer and stays below this, as a mean over a batch of hundreds, is no scatter; nats. */
const SUM_BELOW = -1;
const OFTEN = 0.2;

/** The share of steps in which a KL that is summed over an answer is far below 0, if it is so often. */
function swings({ run }: View): number | undefined {
  if (run?.log.framework !== "trlPpo") return undefined;
  const values = valuesOf(run.records, "policy/klReference");
  const share = values.filter((value) => value < SUM_BELOW).length / Math.max(1, values.length);
  return values.length >= 10 && share >= OFTEN ? share : undefined;
}

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
    "arithmetic: the mean over the policy's own tokens is a KL, which is not below 0 (70); 42 to 55 where it is below by little, or is another KL than the reference's; 60 where a sum over an answer swings far below 0, which is judgment",
  look: (view) => {
    const { run } = view;
    const [fall] = eventsIn(view, ["policy/klReference"], false).filter(({ extreme }) => extreme < BELOW);
    const [reference, ...others] = (["policy/klReference", "policy/approxKl", "mismatch/kl"] as const).map(
      (metric) => belowZero(run?.records ?? [], metric),
    );
    const below = [reference, ...others].filter((one) => one !== undefined);
    const swinging = swings(view);
    if (fall === undefined && below.length === 0 && swinging === undefined) return undefined;
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
        ...(swinging === undefined
          ? []
          : [
              `the KL of an answer is below ${SUM_BELOW} nat in ${Math.round(100 * swinging)}% of steps, each a mean over a batch`,
            ]),
        "over tokens that the policy sampled its mean cannot be below 0; single steps of k1 near 0 can",
        ...(isReversed
          ? [
              "it began at 0 and fell as the policy moved: so does the reference's log-prob minus the policy's, which pays for leaving",
            ]
          : []),
        ...(estimator === undefined ? [] : [`with ${estimator} no token counts below 0`]),
        ...lintOf(
          view,
          "tool-tokens-trained",
          "kl-of-tool-tokens",
          "forced-tokens",
          "truncated-sampling",
          "low-temperature",
        ).map(lintInWords),
      ],
      weight:
        (strong ? 70 : swinging !== undefined ? 60 : reference !== undefined ? 55 : 42) +
        (fall ? timing(view, fall) + precedence(view, fall) : 0),
      change:
        lintOf(view, "tool-tokens-trained", "kl-of-tool-tokens").find(({ change }) => change.length > 0)
          ?.change ?? [],
      advice:
        lintOf(view, "forced-tokens")[0]?.advice ??
        "it must be the policy's log-prob minus the reference's; leave out of the KL and of the loss what tools and environments wrote and what is padding; then check that log-probs are computed at the temperature, top-p and padding side that answers were sampled with",
    };
  },
};
