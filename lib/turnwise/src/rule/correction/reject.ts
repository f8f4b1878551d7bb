import { boundsLabel, correction, highFrom, levelFrom, lowFrom, oldLogProb, within } from "./contract";

export const reject = correction({
  help:
    "Geometric rejection: tokens are dropped together where the geometric mean of their ratios of trainer to rollout engine " +
    "is outside its bounds, whatever their number. They leave the loss and its denominators; the others keep weight 1.",
  equation: String.raw`\text{dropped unless}\;\alpha\le\exp\Big(\frac1{|y|}\sum_t\log\frac{\pi_{old}(y_t)}{\pi_{rollout}(y_t)}\Big)\le\beta`,
  source:
    "Geo-RS, https://richardli.xyz/post/rl-collapse-part3; verl, decoupled_geo_rs; trust region masking, arXiv 2512.23075, drops sequences by their worst token",
  fields: { level: levelFrom("trajectory"), low: lowFrom(0.999), high: highFrom(1.001), oldLogProb },
  label: ({ level, oldLogProb, ...bounds }) =>
    `reject ${level} ${boundsLabel(bounds)}${oldLogProb === "bypass" ? ", bypass" : ""}`,
  active: true,
  unit: ({ level }) => ({ level, averaged: true }),
  oldLogProb: (o) => o.oldLogProb,
  judge: (o, ratio) => ({ weight: 1, kept: within(o, ratio) }),
});
