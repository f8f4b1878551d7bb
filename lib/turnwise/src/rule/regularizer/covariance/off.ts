import { covarianceRule } from "./contract";

export const off = covarianceRule({
  help: "No token is treated apart for its covariance.",
  equation: "L",
  source: "PPO, arXiv 1707.06347",
  fields: {},
  label: () => [],
  active: false,
  random: false,
  taken: () => [],
  charge: () => null,
});
