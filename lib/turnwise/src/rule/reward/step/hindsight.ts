import { stepReward } from "./contract";

export const hindsight = stepReward({
  help: "Mean log-prob of the turn's tokens, given how the episode ended, for an advantage that weighs turns by it.",
  equation: String.raw`s_t=\tfrac{1}{|y_t|}\Big(\log\pi(y_t\mid h_t)+\log\frac{P(\text{outcome}\mid h_t,y_t)}{P(\text{outcome}\mid h_t)}\Big)`,
  source: "HCAPO, arXiv 2603.08754, Eq. 6, by Bayes' rule instead of a prompt that names the outcome",
  fields: {},
  label: () => ["in hindsight"],
  paid: false,
});
