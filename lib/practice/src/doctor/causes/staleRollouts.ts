import { eventInWords, eventsIn, lintInWords, lintOf, precedence, timing, type CauseKind } from "./contract";

export const staleRollouts: CauseKind = {
  title: "rollouts are too old for the policy",
  section: "engines-apart",
  lesson: "05-off-policy-stability",
  basis: "threads: 2 of 45, where the gap of the engines tells more (35; 25 for a setting)",
  look: (view) => {
    const older = eventsIn(view, ["staleness/mean"], true);
    const config = lintOf(view, "stale-without-correction");
    const [first] = older;
    if (first === undefined && config.length === 0) return undefined;
    return {
      evidence: [...older.map(eventInWords), ...config.map(lintInWords)],
      weight: (first ? 35 + timing(view, first) + precedence(view, first) : 25) + 5 * config.length,
      change: config[0]?.change ?? [],
    };
  },
};
