import { exp } from "../base/elementary/exp";
import { log } from "../base/elementary/log";

/** Writes the log-probs of logits[offset .. offset + size] to out[to .. to + size] and returns the entropy in nats. */
export function logSoftmax(
  logits: Float64Array,
  offset: number,
  size: number,
  temperature: number,
  out: Float64Array,
  to = 0,
): number {
  let max = -Infinity;
  for (let v = 0; v < size; v++) if (logits[offset + v]! > max) max = logits[offset + v]!;
  let total = 0;
  let weighted = 0;
  for (let v = 0; v < size; v++) {
    const x = (logits[offset + v]! - max) / temperature;
    const weight = exp(x);
    out[to + v] = x;
    total += weight;
    weighted += weight * x;
  }
  const logTotal = log(total);
  for (let v = 0; v < size; v++) out[to + v]! -= logTotal;
  // -sum p log p with log p = x - logTotal, which needs one exponential per entry.
  return logTotal - weighted / total;
}

/**
 * Writes d loss / d logits of one softmax cell to `out`.
 *
 * d logProb[token] / d logit[v] = 1{v = token} - p[v];  d entropy / d logit[v] = -p[v] (logProb[v] + entropy).
 */
export function softmaxBackward(
  logProb: Float64Array,
  size: number,
  token: number,
  dLogProb: number,
  dEntropy: number,
  entropy: number,
  out: Float64Array,
): void {
  for (let v = 0; v < size; v++) {
    const p = exp(logProb[v]!);
    let d = -dLogProb * p;
    if (dEntropy !== 0 && p > 0) d -= dEntropy * p * (logProb[v]! + entropy);
    out[v] = d;
  }
  out[token]! += dLogProb;
}
