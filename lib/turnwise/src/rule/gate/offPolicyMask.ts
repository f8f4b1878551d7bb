import { number } from "../../schema";
import { clip, clipFields } from "./clip";
import { gate, LOW } from "./contract";

export const offPolicyMask = gate({
  help: "PPO's clip, and bad trajectories that the policy has already left teach nothing.",
  equation: String.raw`M_i\min\!\big(rA,\mathrm{clip}(r)A\big),\quad M_i=0\ \text{if}\ A<0\ \text{and}\ \tfrac1{|o_i|}\sum_t\log\tfrac{\pi_{old}}{\pi}>\delta`,
  source:
    "DeepSeek-V3.2, arXiv 2512.02556, Eq. 9; TRL: off_policy_mask_threshold; in both π_old here is the engine that sampled",
  fields: {
    ...clipFields,
    delta: number(0.5, {
      above: 0,
      help: "The mean of log(sampler / new) over a trajectory's tokens from which a bad outcome no longer counts.",
      unit: "nats",
      slider: { min: 0.01, max: 4, log: true },
    }),
  },
  label: ({ clipLow, clipHigh, delta }) => `offPolicyMask ${clipLow}/${clipHigh}, ${delta}`,
  needsRatio: true,
  through: "ratio",
  range: clip.range,
  ownBounds: true,
  cutsGradient: true,
  ratioShape: null,
  evaluate: (o, x) => {
    clip.evaluate(o, x);
    const { size, rowSize, active, advantage, objective, slope, clipped } = x;
    const d = x.samplerLogRatio();
    for (let start = 0; start < size; start += rowSize) {
      let sum = 0;
      let tokens = 0;
      for (let i = start; i < start + rowSize; i++) {
        if ((active?.[i] ?? 1) !== 1) continue;
        sum -= d[i]!;
        tokens += 1;
      }
      if (!(sum > o.delta * tokens)) continue;
      for (let i = start; i < start + rowSize; i++) {
        if (!(advantage[i]! < 0)) continue;
        objective[i] = 0;
        slope[i] = 0;
        clipped[i] = LOW;
      }
    }
  },
});
