import { eventInWords, eventsIn, lintInWords, lintOf, precedence, timing, type CauseKind } from "./contract";

export const criticFails: CauseKind = {
  title: "the critic predicts nothing",
  section: "credit-for-turns",
  lesson: "08-step-credit",
  basis:
    "judgment: 1 of 77 threads, where returns outgrew the critic, and no stored run decides it (35; 15 for a setting)",
  look: (view) => {
    const [less] = eventsIn(view, ["critic/explainedVariance"], false);
    const [grown] = eventsIn(view, ["critic/loss"], true);
    const worse = less ?? grown;
    const config = lintOf(view, "cold-critic", "token-discount", "short-lambda");
    if (worse === undefined && !config.some(({ severity }) => severity === "warning")) return undefined;
    return {
      evidence: [
        ...[less, grown].flatMap((one) => (one ? [eventInWords(one)] : [])),
        ...config.map(lintInWords),
      ],
      weight: (worse ? 35 + timing(view, worse) + precedence(view, worse) : 15) + 4 * config.length,
      change: config.find((one) => one.change.length > 0)?.change ?? [],
      ...(grown && {
        advice:
          "compare the size of returns with the critic's values: divide rewards by their running deviation, or clip them, where returns are many times as large as the values",
      }),
    };
  },
};
