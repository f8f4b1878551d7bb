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
import type { Found } from "../../lint";

/** So many spikes of the gradient are no accident. */
const RECUR = 3;

/** More for a rate that few runs survive than for one that an adapter may bear. */
const surplus = ({ confidence }: Found): number => (confidence === "possible" ? 5 : 25);

export const stepsTooLarge: CauseKind = {
  title: "updates are too large",
  section: "kl-spikes",
  lesson: "05-off-policy-stability",
  basis:
    "measured: a gradient spike is up before 23% of 150 stored falls and in 15% of 87 runs that held (15 alone, 36 where three or more recur and nothing charges a KL, which is judgment and 1 of 97 threads, 30 for a rise, 25 more for a learning rate that few runs survive)",
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
    const rate = config.find(({ id }) => id === "high-learning-rate");
    // With such a step size everything that leaves its level is its doing.
    const left = rate ? eventsIn(view, ["policy/klReference", "policy/entropy"], true) : [];
    const moved = [...large, ...left].sort((a, b) => a.from - b.from);
    const [first] = moved;
    if (first === undefined && alarms.length === 0) return undefined;
    // One spike is in healthy runs, too; they come again and again where nothing pulls the policy back.
    const recur = alarms.filter(({ rule }) => rule === "gradient spike").length >= RECUR;
    const free = recur ? lintOf(view, "no-anchor", "wide-clip") : [];
    const names = [...new Set(alarms.map(({ rule }) => rule))];
    return {
      evidence: [
        ...(rate ? [lintInWords(rate)] : []),
        ...moved.map(eventInWords),
        ...names.map((name) => {
          const own = alarms.filter(({ rule }) => rule === name);
          return `${name} ${own.length === 1 ? `at step ${own[0]!.update}` : `${own.length} times, first at step ${own[0]!.update}`}`;
        }),
        ...[...config.filter((one) => one !== rate), ...free].map(lintInWords),
      ],
      weight:
        (first ? 30 + timing(view, first) + precedence(view, first) : recur && free.length > 0 ? 36 : 15) +
        8 * config.length +
        (rate ? surplus(rate) : 0),
      change:
        rate?.change ?? [...config, ...free].find((one) => one.change.length > 0)?.change ?? fewerSteps(view),
      advice:
        "take fewer optimizer steps on each batch, or a smaller learning rate; a gradient that grows after success has fallen is a consequence, not the cause",
    };
  },
};
