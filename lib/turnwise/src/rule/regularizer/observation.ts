import { number } from "../../schema";
import { term } from "../term";

/** Cross-entropy on what the environment answers, with a denominator of its own. */
export const observation = term({
  equation: String.raw`-\frac{c}{M_o}\sum_{o\,\in\,\text{answers}}\log\pi_\theta(o\mid\cdot),\quad M_o=|\text{answers}|`,
  source:
    "ECHO, arXiv 2605.24517; prime-rl at 559b447, src/prime_rl/trainer/rl/loss.py:246 (ce_loss_fn), loss.py:394, src/prime_rl/orchestrator/algo/echo.py:67, github.com/PrimeIntellect-ai/prime-rl",
  field: number(0, {
    atLeast: 0,
    help: "Weight of the cross-entropy on the environment's answers, for policies that read tokens and can write these; 0 for none.",
    slider: { min: 0, max: 1, step: 0.01 },
  }),
  label: (coef) => (coef > 0 ? [`answers ${coef}`] : []),
});

/** The charge for the environment's tokens, and its derivative. */
export interface ObservationCharge {
  /** Negative log-prob of a token, mean over all of them, nats. */
  readonly crossEntropy: number;
  /** `coef` times that. */
  readonly loss: number;
  /** d loss / d log-prob of each token. */
  readonly dLogProb_ntl: Float64Array;
}

/** Charge for the tokens of a mask; undefined where there is none. */
export function observationCharge(
  coef: number,
  mask_ntl: ArrayLike<number>,
  logProb_ntl: ArrayLike<number>,
): ObservationCharge | undefined {
  let tokens = 0;
  let sum = 0;
  for (let i = 0; i < mask_ntl.length; i++) {
    if (mask_ntl[i] !== 1) continue;
    tokens++;
    sum -= logProb_ntl[i]!;
  }
  if (tokens === 0) return undefined;
  const dLogProb_ntl = Float64Array.from(mask_ntl, (mask) => (mask === 1 ? -coef / tokens : 0));
  return { crossEntropy: sum / tokens, loss: (coef * sum) / tokens, dLogProb_ntl };
}
