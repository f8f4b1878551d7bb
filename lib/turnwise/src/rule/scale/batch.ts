import type { Metrics } from "../../base/glossary";
import { number, orNull } from "../../schema";
import { whiten } from "../advantage/groupAdvantage";
import { scale } from "./contract";
import { deviation } from "./deviation";

export const batch = scale({
  help: "Minus the mean and divided by the standard deviation of the whole batch.",
  equation: String.raw`A_i=\frac{A_i-\mu_B}{\sigma_B+\varepsilon}`,
  source: "verl, trainer/ppo/core_algos.py: masked_whiten; REINFORCE++ in TRL's paper index",
  fields: {
    ...deviation,
    clamp: orNull(
      number(3, { above: 0, help: "Cut to this many standard deviations; null leaves them alone." }),
    ),
  },
  label: ({ clamp }) => (clamp === null ? "batch" : `batch, clamp ±${clamp}`),
  withinGroup: () => ({ scale: "none" }),
  overBatch: ({ unbiased, epsilon, clamp }, advantage, used) => {
    const chosen = new Float64Array(advantage.length);
    let count = 0;
    for (let k = 0; k < used.length; k++) if (used[k] === 1) chosen[count++] = advantage[k]!;
    const whitened = whiten(chosen.subarray(0, count), unbiased, epsilon);
    const scaled = new Float64Array(advantage.length);
    let next = 0;
    for (let k = 0; k < used.length; k++) if (used[k] === 1) scaled[k] = whitened[next++]!;
    return { advantage: scaled, metrics: clamp === null ? {} : cutAt(clamp, scaled, used) };
  },
});

/** Cuts in place. */
function cutAt(limit: number, advantage: Float64Array, used: Uint8Array): Metrics {
  let cut = 0;
  let count = 0;
  used.forEach((flag, k) => {
    if (flag !== 1) return;
    count += 1;
    if (Math.abs(advantage[k]!) > limit) cut += 1;
    advantage[k] = Math.min(Math.max(advantage[k]!, -limit), limit);
  });
  return { "advantage/fracClamped": cut / Math.max(1, count) };
}
