import { ratio } from "./contract";

export const token = ratio({
  help: "Each token has a ratio of its own.",
  equation: String.raw`r_t=\exp(\log\pi(y_t)-\log\pi_{old}(y_t))`,
  source: "PPO, arXiv 1707.06347, section 3",
  fields: {},
  label: () => "token",
  formed: true,
  unitSize: () => 1,
  axes: [],
});
