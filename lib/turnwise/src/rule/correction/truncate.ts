import { correction, highFrom, levelFrom } from "./contract";

export const truncate = correction({
  help: "Truncated importance sampling: the ratio of trainer to rollout engine, at most C, weighs the objective.",
  equation: String.raw`w=\min\Big(\frac{\pi_{old}}{\pi_{rollout}},C\Big)`,
  source:
    "TIS, https://fengyao.notion.site/off-policy-rl; verl, trainer/ppo/rollout_corr_helper.py; TRL, token_truncate",
  fields: {
    level: levelFrom("token"),
    high: highFrom(2, "C, the largest weight; null is the plain importance weight, however large."),
  },
  label: ({ level, high }) => `truncate ${level} ≤${high ?? "∞"}`,
  active: true,
  unit: ({ level }) => ({ level, averaged: false }),
  oldLogProb: () => "decoupled",
  judge: ({ high }, ratio) => {
    const weight = Math.min(ratio, high ?? Infinity);
    return { weight, kept: true, truncated: weight < ratio };
  },
});
