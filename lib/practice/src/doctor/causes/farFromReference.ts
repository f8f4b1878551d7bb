import {
  eventInWords,
  eventsIn,
  have,
  lintInWords,
  lintOf,
  NO_HEADLINE,
  numberIn,
  precedence,
  timing,
  type CauseKind,
} from "./contract";
import { reversedKl } from "./klReversed";

export const farFromReference: CauseKind = {
  title: "the policy has left the one it started from",
  section: "kl-spikes",
  lesson: "10-language-model",
  basis:
    "public logs: its alarm is up in 3 of 11 healthy ones, so it is no headline there (35, more if it came first)",
  look: (view) => {
    const [far] = eventsIn(view, ["policy/klReference"], true).filter(({ extreme }) => extreme > 0.3);
    if (far === undefined) return undefined;
    const config = lintOf(
      view,
      "negative-coefficient",
      "no-anchor",
      "high-learning-rate",
      "k1-in-loss",
      "idle-coefficient",
    );
    const fell = view.run?.verdict.success.kind === "fell";
    const weight = 35 + timing(view, far) + precedence(view, far) + 5 * config.length;
    const coef = numberIn(view, "klLossCoef");
    return {
      evidence: [eventInWords(far), ...config.map(lintInWords)],
      weight: fell ? weight : Math.min(weight, NO_HEADLINE),
      change:
        config.find(({ id, change }) => id !== "no-anchor" && change.length > 0)?.change ??
        (reversedKl(view) !== undefined ? [] : undefined) ??
        have(view, {
          setting: "klLossCoef",
          value: Number((10 * (coef || 0.001)).toPrecision(6)),
        }),
    };
  },
};
