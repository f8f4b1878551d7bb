import { boundsLabel, correction, highFrom, levelFrom, lowFrom, oldLogProb, within } from "./contract";

export const mask = correction({
  help:
    "Masked importance sampling: the ratio of trainer to rollout engine weighs the objective, and outside its bounds the " +
    "weight is 0. Masked tokens still count in the loss's denominators.",
  equation: String.raw`w=\rho\;\text{if}\;\alpha\le\rho\le\beta,\;\text{else}\;0,\quad\rho=\frac{\pi_{old}}{\pi_{rollout}}`,
  source:
    "IcePop, arXiv 2510.18855; MIS, https://richardli.xyz/post/rl-collapse-part3; verl, trainer/ppo/rollout_corr_helper.py; TRL, sequence_mask",
  fields: { level: levelFrom("token"), low: lowFrom(0.5), high: highFrom(5), oldLogProb },
  label: ({ level, oldLogProb, ...bounds }) =>
    `mask ${level} ${boundsLabel(bounds)}${oldLogProb === "bypass" ? ", bypass" : ""}`,
  active: true,
  unit: ({ level }) => ({ level, averaged: false }),
  oldLogProb: (o) => o.oldLogProb,
  judge: (o, ratio) => ({
    weight: within(o, ratio) ? (o.oldLogProb === "bypass" ? 1 : ratio) : 0,
    kept: true,
  }),
});
