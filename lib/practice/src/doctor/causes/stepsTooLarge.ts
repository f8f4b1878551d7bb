import {
  eventInWords,
  eventsIn,
  fewerSteps,
  lintInWords,
  lintOf,
  precedence,
  timing,
  type CauseKind,
} from "./contract";

export const stepsTooLarge: CauseKind = {
  title: "updates are too large",
  section: "kl-spikes",
  lesson: "05-off-policy-stability",
  look: (view) => {
    const large = eventsIn(
      view,
      [
        "policy/gradNorm",
        "policy/approxKl",
        "policy/ratioMax",
        "policy/clipFrac",
        "policy/clipFracLow",
        "policy/clipFracHigh",
      ],
      true,
    );
    const config = lintOf(
      view,
      "many-steps",
      "high-learning-rate",
      "no-gradient-clip",
      "no-dual-clip",
      "unbounded-steps",
      "sequence-bounds-on-tokens",
      "bf16-weights",
    );
    const alarms =
      view.run?.verdict.alarms.filter(({ rule }) =>
        ["KL burst", "ratio extreme", "gradient spike"].includes(rule),
      ) ?? [];
    const [first] = large;
    if (first === undefined && alarms.length === 0) return undefined;
    const names = [...new Set(alarms.map(({ rule }) => rule))];
    return {
      evidence: [
        ...large.map(eventInWords),
        ...names.map((name) => {
          const own = alarms.filter(({ rule }) => rule === name);
          return `${name} ${own.length === 1 ? `at step ${own[0]!.update}` : `${own.length} times, first at step ${own[0]!.update}`}`;
        }),
        ...config.map(lintInWords),
      ],
      weight: (first ? 30 + timing(view, first) + precedence(view, first) : 15) + 8 * config.length,
      change: config.find((one) => one.change.length > 0)?.change ?? fewerSteps(view),
      advice:
        "take fewer optimizer steps on each batch, or a smaller learning rate; a gradient that grows after success has fallen is a consequence, not the cause",
    };
  },
};
