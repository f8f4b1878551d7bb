import {
  eventInWords,
  eventsIn,
  have,
  lintInWords,
  lintOf,
  meanOf,
  numberIn,
  precedence,
  timing,
  type CauseKind,
} from "./contract";
import type { Found } from "../../lint";
import type { Change } from "../../lint/contract";
import type { View } from "../view";

/** Undoes first what the configuration does to raise entropy; else the KL to the reference counts ten times as much. */
function held(view: View, config: readonly Found[]): readonly Change[] {
  const raises = config.find(({ id }) => id === "large-entropy-bonus" || id === "high-temperature");
  if (raises) return raises.change;
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
  title: "entropy exploded: nothing held the policy to what it could say",
  section: "entropy-rises",
  lesson: "04-echo-trap",
  look: (view) => {
    const [rise] = eventsIn(view, ["policy/entropy"], true);
    if (rise === undefined || rise.recovered) return undefined;
    const far = eventsIn(view, ["policy/klReference"], true);
    const config = lintOf(
      view,
      "large-entropy-bonus",
      "high-temperature",
      "no-anchor",
      "wide-clip",
      "unbounded-steps",
    );
    const isLarge = rise.extreme - rise.before > 0.5 || rise.extreme > 3 * rise.before;
    return {
      evidence: [eventInWords(rise), ...far.map(eventInWords), ...config.map(lintInWords)],
      weight: (isLarge ? 60 : 25) + timing(view, rise) + precedence(view, rise) + 5 * config.length,
      change: held(view, config),
    };
  },
};
