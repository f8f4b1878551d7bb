import { square } from "../../base/elementary/square";
import { isConstant } from "../../base/statistics";
import { scale } from "./contract";
import { deviation } from "./deviation";

export const tokens = scale({
  help: "Minus the mean and divided by the standard deviation of all sampled tokens, so that a long trajectory counts more.",
  equation: String.raw`A_i=\frac{A_i-\mu_B}{\sigma_B+\varepsilon},\quad\mu_B=\frac{\sum_il_iA_i}{\sum_il_i},\quad l_i=\text{sampled tokens}`,
  source:
    "REINFORCE++, arXiv 2501.03262; github.com/OpenRLHF/OpenRLHF, openrlhf/trainer/ppo_utils/experience_maker.py (0.11.2, line 330)",
  fields: deviation,
  label: () => "batch, by token",
  withinGroup: () => ({ scale: "none" }),
  overBatch: ({ unbiased, epsilon }, advantage, used, context) => {
    const { mask_ntl } = context!.batch;
    const width = mask_ntl.length / advantage.length;
    const units = Array.from(used.keys()).filter((k) => used[k] === 1);
    const length = units.map((k) => {
      let tokens = 0;
      for (let i = k * width; i < (k + 1) * width; i++) if (mask_ntl[i] === 1) tokens += 1;
      return tokens;
    });
    const scaled = new Float64Array(advantage.length);
    if (units.length === 0 || isConstant(units.map((k) => advantage[k]!))) {
      return { advantage: scaled, metrics: {} };
    }
    let all = 0;
    let sum = 0;
    units.forEach((k, u) => {
      all += length[u]!;
      sum += length[u]! * advantage[k]!;
    });
    const center = sum / all;
    let squares = 0;
    units.forEach((k, u) => (squares += length[u]! * square(advantage[k]! - center)));
    const divisor = Math.sqrt(squares / (unbiased ? all - 1 : all)) + epsilon;
    for (const k of units) scaled[k] = (advantage[k]! - center) / divisor;
    return { advantage: scaled, metrics: {} };
  },
});
