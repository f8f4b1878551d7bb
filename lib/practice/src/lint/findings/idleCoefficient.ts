import { clear, found, inapplicable, type Finding } from "../contract";
import type { SettingName } from "../settings/contract";

/** A coefficient, and the switch that it needs. */
const pairs: readonly (readonly [SettingName, SettingName])[] = [
  ["klLossCoef", "klInLoss"],
  ["klRewardCoef", "klInReward"],
];

export const idleCoefficient: Finding = {
  title: "A coefficient is given, and what it belongs to is off",
  severity: "warning",
  confidence: "certain",
  why: "It reads as if it held the policy, or kept it exploring, and does nothing.",
  source: "the trainers' own code",
  lesson: "11-your-own-run",
  check: (s) => {
    // OpenRLHF has one coefficient, which counts in the reward where it does not in the loss.
    if (s.trainer === "openrlhf")
      return inapplicable("its coefficient counts in the reward where it does not in the loss");
    // Where the KL is charged in one place, a coefficient for the other holds nothing back and misleads nobody.
    const isCharged = pairs.some(
      ([coef, on]) => s.has(on) && s.isOn(on) && s.has(coef) && s.number(coef) !== 0,
    );
    const idle = pairs.filter(
      ([coef, on]) =>
        !isCharged &&
        s.has(coef) &&
        s.gives(coef) &&
        s.has(on) &&
        s.number(coef) !== 0 &&
        !s.isOn(on) &&
        // A configuration that is written out in full has every default, and reads as what it does.
        !(s.gives(on) && s.isDefault(coef)),
    );
    const fallsShort =
      s.trainer === "skyrl" &&
      s.gives("entropyCoef") &&
      !s.parts.given.flag("trainer.algorithm.use_entropy_loss", false);
    if (idle.length === 0 && !fallsShort) return clear;
    return found(
      [
        ...idle.map(([coef, on]) => `${s.shown(coef)}, but ${s.shown(on)}`),
        ...(fallsShort ? [`${s.shown("entropyCoef")}, but use_entropy_loss is off`] : []),
      ].join("; "),
      // Of two, one is enough: both would charge it twice.
      idle.map(([coef, on], i) => (i === 0 ? { setting: on, value: true } : { setting: coef, value: 0 })),
      {
        ...(fallsShort && { advice: "trainer.algorithm.use_entropy_loss=True" }),
        // Forks of the first releases have no such switch.
        ...(idle.some(([coef, on]) => coef === "klRewardCoef" && !s.gives(on)) && {
          confidence: "possible",
          advice: "verl before 0.3, and forks of it such as Search-R1, charge it wherever the loss does not",
        }),
      },
    );
  },
};
