import { ratio } from "./contract";
import { pooling } from "./pooling";

export const trajectory = ratio({
  help: "All tokens of a trajectory share one ratio.",
  equation: String.raw`s_i=\mathrm{pool}_{t\in i}\big(\log\pi(y_t)-\log\pi_{old}(y_t)\big)`,
  source: "GSPO, arXiv 2507.18071 (geometric)",
  fields: { pooling },
  label: (o) => `trajectory, ${o.pooling}`,
  formed: true,
  unitSize: ([, T, L]) => T * L,
  axes: [1, 2],
});
