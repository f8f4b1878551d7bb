import {
  eventInWords,
  eventsIn,
  have,
  lintInWords,
  lintOf,
  meanOf,
  NO_HEADLINE,
  numberIn,
  precedence,
  timing,
  type CauseKind,
} from "./contract";
import type { FindingId, Found } from "../../lint";
import { Undecided, type Change } from "../../lint/contract";
import type { View } from "../view";
import { reversedKl } from "./klReversed";

/** The weight of an entropy bonus in the run's rule, 0 if none is known: a trainer may have a weight that it does not use. */
function bonusOf({ config }: View): number {
  try {
    return config?.lint.subject.rule.regularizer.entropyCoef ?? 0;
  } catch (error) {
    if (error instanceof Undecided) return 0;
    throw error;
  }
}

/** Findings whose change takes away what raises entropy. */
const undone: readonly FindingId[] = ["negative-coefficient", "large-entropy-bonus", "high-temperature"];

/** Undoes first what the configuration does to raise entropy; else the KL to the reference counts ten times as much. */
function held(view: View, config: readonly Found[]): readonly Change[] {
  const raises = config.find(({ id }) => undone.includes(id));
  if (raises) return raises.change;
  if (bonusOf(view) > 0) return have(view, { setting: "entropyCoef", value: 0 });
  const rate = config.find(({ id }) => id === "high-learning-rate");
  if (rate) return rate.change;
  // To charge more of it with the wrong sign pays more for leaving.
  if (reversedKl(view) !== undefined) return [];
  const coef = numberIn(view, "klLossCoef");
  // A KL that is logged is charged; without a configuration it is taken to be charged as often as by default.
  const isOn =
    view.config === undefined
      ? meanOf(view, "policy/klReference") !== undefined
      : lintOf(view, "no-anchor").length === 0;
  const on = isOn ? [] : have(view, { setting: "klInLoss", value: true });
  const value = isOn ? Number((10 * (coef ?? 0.001)).toPrecision(6)) : 0.001;
  return [...on, ...have(view, { setting: "klLossCoef", value })];
}

export const entropyRises: CauseKind = {
  title: "entropy exploded, and nothing held the policy back",
  section: "entropy-rises",
  lesson: "04-echo-trap",
  basis:
    "threads: the cause in 5 of 45, always with a setting; a large rise is in none of the 5 healthy public logs that have it, a small one in 2 (60 and 25)",
  look: (view) => {
    const [rise] = eventsIn(view, ["policy/entropy"], true);
    if (rise === undefined || rise.recovered) return undefined;
    const far = eventsIn(view, ["policy/klReference"], true);
    const config = lintOf(
      view,
      "negative-coefficient",
      "large-entropy-bonus",
      "high-temperature",
      "high-learning-rate",
      "no-anchor",
      "wide-clip",
      "unbounded-steps",
    );
    const isLarge = rise.extreme - rise.before > 0.5 || rise.extreme > 3 * rise.before;
    // Below the limit of the finding a bonus does no harm as long as entropy stays.
    const pays = bonusOf(view) > 0 && !config.some(({ id }) => id === "large-entropy-bonus");
    const weight =
      (isLarge ? 60 : 25) +
      timing(view, rise) +
      precedence(view, rise) +
      5 * (config.length + (pays ? 1 : 0));
    const fell = view.run?.verdict.success.kind === "fell";
    return {
      ...(!isLarge && { title: "entropy rose, and little holds it down" }),
      evidence: [
        eventInWords(rise),
        ...(pays ? [`the loss pays for entropy: ${view.subject!.shown("entropyCoef")}`] : []),
        ...far.map(eventInWords),
        ...config.map(lintInWords),
      ],
      // A small rise is in healthy runs, too: it is no headline unless success fell.
      weight: isLarge || fell ? weight : Math.min(weight, NO_HEADLINE),
      change: held(view, config),
    };
  },
};
