import { eventInWords, eventsIn, fewerSteps, lintInWords, lintOf, type CauseKind } from "./contract";

export const echoTrap: CauseKind = {
  title: "groups had long agreed, and then one batch carried the policy away",
  section: "success-falls",
  lesson: "04-echo-trap",
  basis:
    "measured: all of 150 stored falls had it before, and so had nearly all of 87 runs that held (36, 8 more for each setting that makes steps large)",
  look: (view) => {
    const { run } = view;
    if (run?.verdict.success.kind !== "fell") return undefined;
    const { onset } = run.verdict.dip!;
    const agreed = [
      ...eventsIn(view, ["reward/fracZeroStd"], true).filter(({ extreme }) => extreme > 0.8),
      ...eventsIn(view, ["reward/std"], false).filter(({ before, extreme }) => extreme < before / 10),
    ].filter(({ to }) => to < onset);
    const [first] = agreed;
    if (first === undefined) return undefined;
    const config = lintOf(view, "many-steps", "no-gradient-clip", "high-learning-rate");
    return {
      evidence: [
        `${eventInWords(first)}, and success fell ${onset - first.from} steps later`,
        ...eventsIn(view, ["policy/entropy"], false).map(eventInWords),
        ...config.map(lintInWords),
      ],
      weight: 36 + 8 * config.length,
      change: config.find(({ change }) => change.length > 0)?.change ?? fewerSteps(view),
      advice:
        "agreement alone is what success looks like: of the stored runs that held, all had it; take fewer optimizer steps on each batch",
    };
  },
};
