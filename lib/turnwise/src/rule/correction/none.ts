import { correction } from "./contract";

export const none = correction({
  help: "What the rollout engine said is taken for the trainer's own log-probs.",
  equation: String.raw`w=1`,
  source: "the usual way; verl calls it bypass",
  fields: {},
  label: () => "none",
  active: false,
  unit: () => ({ level: "token", averaged: false }),
  oldLogProb: () => "bypass",
  judge: () => ({ weight: 1, kept: true }),
});
