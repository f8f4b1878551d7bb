import { eventInWords, eventsIn, lintInWords, lintOf, precedence, timing, type CauseKind } from "./contract";

export const criticFails: CauseKind = {
  title: "the critic predicts nothing",
  section: "credit-for-turns",
  lesson: "08-step-credit",
  basis: "judgment: no thread and no stored run decides it (35; 15 for a setting)",
  look: (view) => {
    const [worse] = eventsIn(view, ["critic/explainedVariance"], false);
    const config = lintOf(view, "cold-critic", "token-discount", "short-lambda");
    if (worse === undefined && !config.some(({ severity }) => severity === "warning")) return undefined;
    return {
      evidence: [...(worse ? [eventInWords(worse)] : []), ...config.map(lintInWords)],
      weight: (worse ? 35 + timing(view, worse) + precedence(view, worse) : 15) + 4 * config.length,
      change: config.find((one) => one.change.length > 0)?.change ?? [],
    };
  },
};
