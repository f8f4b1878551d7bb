import { short } from "turnwise/internal/base/curve";
import {
  eventInWords,
  eventsIn,
  lintInWords,
  lintOf,
  meanOf,
  precedence,
  timing,
  type CauseKind,
} from "./contract";

/** A mean of log-ratios over sampled tokens scatters around a number that is not below 0. */
const BELOW = -0.05;

export const negativeKl: CauseKind = {
  title: "the KL counts tokens that the policy did not sample",
  section: "tool-tokens",
  lesson: "06-agentic-pomdp",
  look: (view) => {
    const [fall] = eventsIn(view, ["policy/klReference"], false).filter(({ extreme }) => extreme < BELOW);
    const mean = meanOf(view, "policy/klReference");
    if (fall === undefined && (mean === undefined || mean >= BELOW)) return undefined;
    return {
      evidence: [
        fall === undefined
          ? `the KL to the reference is ${short(mean!)}, as a mean over the run`
          : eventInWords(fall),
        "over tokens that the policy sampled its mean cannot be below 0",
        ...lintOf(view, "tool-tokens-trained", "truncated-sampling", "low-temperature").map(lintInWords),
      ],
      weight: 70 + (fall ? timing(view, fall) + precedence(view, fall) : 0),
      change: lintOf(view, "tool-tokens-trained")[0]?.change ?? [],
      advice:
        "leave out of the KL and of the loss what tools and environments wrote; then check that log-probs are computed at the temperature, top-p and padding that answers were sampled with",
    };
  },
};
