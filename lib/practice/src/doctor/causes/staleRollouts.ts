import { gaps } from "./enginesApart";
import { eventInWords, eventsIn, lintInWords, lintOf, precedence, timing, type CauseKind } from "./contract";

export const staleRollouts: CauseKind = {
  title: "rollouts are too old for the policy",
  section: "engines-apart",
  lesson: "05-off-policy-stability",
  basis:
    "threads: 2 of 45, where the gap of the engines tells more (35; 25 for a setting); 2 of 77 where a setting says so and the gap grows (55)",
  look: (view) => {
    const older = eventsIn(view, ["staleness/mean"], true);
    const config = lintOf(view, "stale-without-correction", "stale-prefix-cache");
    // Where rollouts are known to be old, and nothing corrects for it, a gap that grows is theirs.
    const apart = config.some(({ id }) => id === "stale-without-correction")
      ? eventsIn(view, gaps, true)
      : [];
    const [first] = [...older, ...apart];
    if (first === undefined && config.length === 0) return undefined;
    return {
      evidence: [...older.map(eventInWords), ...config.map(lintInWords), ...apart.map(eventInWords)],
      weight:
        (apart.length > 0 ? 55 : first ? 35 + 0 : 25) +
        (first ? timing(view, first) + precedence(view, first) : 0) +
        5 * config.length,
      change: config.find(({ change }) => change.length > 0)?.change ?? [],
      ...(config.find(({ advice }) => advice !== undefined) && {
        advice: config.find(({ advice }) => advice !== undefined)!.advice!,
      }),
    };
  },
};
