import type { GateChoice } from "../recipe";

/** Which bound removed the gradient of a cell. */
export type Clipped = "no" | "low" | "high" | "dual";

/** The same as a number, for loops over many cells. */
export const NO = 0;
export const LOW = 1;
export const HIGH = 2;
export const DUAL = 3;
const NAMES: readonly Clipped[] = ["no", "low", "high", "dual"];

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
  if (choice.kind === "sapo") return sapo(choice, ratio, advantage);
  const bounds = gateBounds(choice);
  const clipped = clippedAt(bounds, ratio, advantage);
  return {
    objective: boundedRatio(bounds, clipped, ratio) * advantage,
    slope: clipped === NO ? advantage : 0,
    clipped: NAMES[clipped]!,
  };
}

type Sapo = Extract<GateChoice, { readonly kind: "sapo" }>;

export function sapo(choice: Sapo, ratio: number, advantage: number): Gated {
  const tau = advantage > 0 ? choice.tauPositive : choice.tauNegative;
  const s = 1 / (1 + Math.exp(-tau * (ratio - 1)));
  return { objective: (4 / tau) * s * advantage, slope: 4 * s * (1 - s) * advantage, clipped: "no" };
}

/** A gate that leaves the ratio alone or stops it at a bound: every one but `sapo`. */
export interface GateBounds {
  readonly low: number;
  readonly high: number;
  readonly dual: number;
}

export function gateBounds(choice: Exclude<GateChoice, Sapo>): GateBounds {
  const clips = choice.kind === "clip" || choice.kind === "dualClip";
  return {
    low: clips ? 1 - choice.clipLow : -Infinity,
    high: clips ? 1 + choice.clipHigh : Infinity,
    dual: choice.kind === "dualClip" ? choice.dualClip : Infinity,
  };
}

/**
 * NO, or the bound at which the objective stands.
 *
 * Asks for the ratio first: it is mostly inside, while the sign of an advantage is a coin that a processor cannot foresee.
 */
export function clippedAt({ low, high, dual }: GateBounds, ratio: number, advantage: number): number {
  if (ratio > high && advantage > 0) return HIGH;
  if (ratio < low && advantage < 0) return low * advantage < dual * advantage ? DUAL : LOW;
  return ratio > dual && advantage < 0 && ratio * advantage < dual * advantage ? DUAL : NO;
}

/** The ratio that the advantage is multiplied by. */
export function boundedRatio(bounds: GateBounds, clipped: number, ratio: number): number {
  if (clipped === NO) return ratio;
  return clipped === HIGH ? bounds.high : clipped === LOW ? bounds.low : bounds.dual;
}
