import { eventInWords, eventsIn, lintInWords, lintOf, precedence, timing, type CauseKind } from "./contract";

export const toolsVanish: CauseKind = {
  title: "the agent no longer calls its tools",
  section: "tools-no-longer-called",
  lesson: "06-agentic-pomdp",
  basis: "judgment: a result more often than a cause, so below what comes before it (45)",
  look: (view) => {
    const fewer = eventsIn(view, ["tools/calls", "turns/mean"], false).filter(
      (one) => one.extreme < 0.6 * one.before,
    );
    const [first] = fewer;
    if (first === undefined || first.recovered) return undefined;
    const config = lintOf(view, "tool-tokens-trained", "length-bias", "std-of-small-costs");
    const masks = view.config?.lint.undecided.some(({ id }) => id === "tool-tokens-trained");
    return {
      evidence: [...fewer.map(eventInWords), ...config.map(lintInWords)],
      weight: 45 + timing(view, first) + precedence(view, first) + 5 * config.length,
      change: config.find((one) => one.change.length > 0)?.change ?? [],
      advice: masks
        ? "see in stored rollouts whether tokens of tools are masked, and whether episodes with calls still earn more than those without"
        : "see whether episodes with calls still earn more than those without",
    };
  },
};
