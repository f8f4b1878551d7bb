import { eventInWords, eventsIn, have, lintInWords, lintOf, timing, type CauseKind } from "./contract";

export const entropyCollapses: CauseKind = {
  title: "the agent has become sure of every token and explores no longer",
  section: "success-falls",
  lesson: "04-echo-trap",
  basis: "measured: up in 98% of 150 stored falls and of 87 runs that held, so next to nothing (20)",
  look: (view) => {
    const [fall] = eventsIn(view, ["policy/entropy"], false);
    if (fall === undefined || fall.extreme > fall.before / 5 || fall.recovered) return undefined;
    return {
      evidence: [
        eventInWords(fall),
        "entropy falls as far in 98% of runs that hold, so that it proves little",
        ...lintOf(view, "low-temperature").map(lintInWords),
      ],
      weight: 20 + timing(view, fall) / 3 + 10 * lintOf(view, "low-temperature").length,
      change: lintOf(view, "low-temperature")[0]?.change ?? have(view, { setting: "clipHigh", value: 0.28 }),
    };
  },
};
