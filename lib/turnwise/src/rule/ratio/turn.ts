import { ratio } from "./contract";
import { pooling } from "./pooling";

export const turn = ratio({
  help: "All tokens of a turn share one ratio.",
  equation: String.raw`r_k=\mathrm{pool}_{t\in k}\big(\log\pi(y_t)-\log\pi_{old}(y_t)\big)`,
  source: "SeeUPO, arXiv 2602.06554, Eq. 8 (product); Turn-PPO, arXiv 2511.20718 (geometric)",
  fields: { pooling },
  label: (o) => `turn, ${o.pooling}`,
  formed: true,
  unitSize: ([, , L]) => L,
  axes: [2],
});
