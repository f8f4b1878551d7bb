import type { GateChoice } from "../recipe";

/** Which bound removed the gradient of a cell. */
export type Clipped = "no" | "low" | "high" | "dual";

export interface Gated {
  /** What the rule maximises in this cell. */
  readonly objective: number;
  /** d objective / d ratio. */
  readonly slope: number;
  readonly clipped: Clipped;
}

/**
 * The objective of one cell as a function of its ratio r and advantage A, with its derivative in r.
 *
 * ```
 * unclipped  r * A
 * clip       min(r * A, clip(r, 1 - clipLow, 1 + clipHigh) * A)
 * dualClip   A >= 0: clip;   A < 0: max(clip, dualClip * A)
 * sapo       (4 / tau) * sigmoid(tau * (r - 1)) * A,   tau = tauPositive if A > 0 else tauNegative
 * ```
 *
 * `sapo` has slope A at r = 1 whatever tau is: there it has the gradient of REINFORCE [D].
 *
 * @see PPO, arXiv 1707.06347, Eq. 7 (clip); Ye et al., arXiv 1912.09729, Eq. 5 (dualClip) [S]; DAPO, arXiv 2503.14476
 *   (clipHigh above clipLow) [P]; SAPO, arXiv 2511.20347 [P]
 */
export function gate(choice: GateChoice, ratio: number, advantage: number): Gated {
  switch (choice.kind) {
    case "none":
    case "unclipped":
      return { objective: ratio * advantage, slope: advantage, clipped: "no" };
    case "clip":
      return clip(ratio, advantage, choice.clipLow, choice.clipHigh);
    case "dualClip": {
      const inner = clip(ratio, advantage, choice.clipLow, choice.clipHigh);
      const bound = choice.dualClip * advantage;
      if (advantage < 0 && inner.objective < bound) return { objective: bound, slope: 0, clipped: "dual" };
      return inner;
    }
    case "sapo": {
      const tau = advantage > 0 ? choice.tauPositive : choice.tauNegative;
      const s = 1 / (1 + Math.exp(-tau * (ratio - 1)));
      return { objective: (4 / tau) * s * advantage, slope: 4 * s * (1 - s) * advantage, clipped: "no" };
    }
  }
}

function clip(ratio: number, advantage: number, low: number, high: number): Gated {
  if (advantage > 0 && ratio > 1 + high) {
    return { objective: (1 + high) * advantage, slope: 0, clipped: "high" };
  }
  if (advantage < 0 && ratio < 1 - low) {
    return { objective: (1 - low) * advantage, slope: 0, clipped: "low" };
  }
  return { objective: ratio * advantage, slope: advantage, clipped: "no" };
}
