/** logits[offset .. offset + size] -> log-probs in out[to .. to + size]; returns the entropy in nats. */
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
    const weight = Math.exp(x);
    out[to + v] = x;
    total += weight;
    weighted += weight * x;
  }
  const logTotal = Math.log(total);
  for (let v = 0; v < size; v++) out[to + v]! -= logTotal;
  // -sum p log p, with log p = x - logTotal: one exponential per entry.
  return logTotal - weighted / total;
}

/**
 * Adds d loss / d logits of one softmax cell to `out`, where `put(v, x)` adds x to logit v.
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
    const p = Math.exp(logProb[v]!);
    let d = -dLogProb * p;
    if (dEntropy !== 0 && p > 0) d -= dEntropy * p * (logProb[v]! + entropy);
    out[v] = d;
  }
  out[token]! += dLogProb;
}
