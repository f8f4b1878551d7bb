import { correction } from "./contract";

export const none = correction({
  help: "Uses the rollout engine's log-probs as the trainer's own.",
  equation: String.raw`w=1`,
  source: "the usual way; verl calls it bypass",
  fields: {},
  label: () => "none",
  active: false,
  unit: () => ({ level: "token", averaged: false }),
  oldLogProb: () => "bypass",
  judge: () => ({ weight: 1, kept: true }),
});
