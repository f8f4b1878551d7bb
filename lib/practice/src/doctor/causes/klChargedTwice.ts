import { lintInWords, lintOf, type CauseKind } from "./contract";

export const klChargedTwice: CauseKind = {
  title: "a KL is charged twice, or not where it is meant",
  section: "kl-spikes",
  lesson: "10-language-model",
  basis: "judgment: a setting that is seldom meant, and seldom kills (22)",
  look: (view) => {
    const config = lintOf(view, "kl-twice", "k1-in-loss", "large-kl", "idle-coefficient");
    if (config.length === 0) return undefined;
    const isIdle = config.every(({ id }) => id === "idle-coefficient");
    return {
      ...(isIdle && { title: "a coefficient of a KL is given, and no KL is charged" }),
      evidence: config.map(lintInWords),
      weight: config.some(({ severity }) => severity === "error") ? 30 : 22,
      change: config.find((one) => one.change.length > 0)?.change ?? [],
    };
  },
};
