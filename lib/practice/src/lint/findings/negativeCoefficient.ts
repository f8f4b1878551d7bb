import type { Change } from "../contract";
import { clear, found, ifKnown, type Finding } from "../contract";
import type { Subject } from "../subject";
import type { SettingName } from "../settings/contract";

/** The number of a setting, as far as it is known. */
const numberOf = (s: Subject, name: SettingName): number =>
  s.has(name) && s.gives(name) ? ifKnown(() => s.number(name), 0) : 0;

/** Whether a KL is switched off beside its weight. */
const isOff = (s: Subject, switched: SettingName): boolean =>
  ifKnown(() => s.has(switched) && !s.isOn(switched), false);

export const negativeCoefficient: Finding = {
  title: "A penalty has a negative weight, and is a reward",
  severity: "error",
  confidence: "certain",
  why: "A KL with a negative weight pays the policy for leaving the reference: it drifts, and its entropy rises, however small the weight.",
  source: "DeepSeekMath, arXiv 2402.03300, section 4.1 (the sign); rllm-org/rllm#111",
  lesson: "10-language-model",
  check: (s) => {
    const kinds = [
      ["klLossCoef", "klInLoss"],
      ["klRewardCoef", "klInReward"],
    ] as const;
    const below = kinds.filter(([weight, switched]) => numberOf(s, weight) < 0 && !isOff(s, switched));
    if (below.length === 0) return clear;
    return found(
      below.map(([weight]) => s.shown(weight)).join(", "),
      below.map(([setting]): Change => ({ setting, value: -numberOf(s, setting) })),
    );
  },
};
