import { horizontalSum } from "./elementwise";
import { exponential, exponential1 } from "./exponential";

function largest(x: usize, count: i32): f32 {
  let most = load<f32>(x);
  let c = 0;
  if (count >= 4) {
    let mosts = v128.load(x);
    for (c = 4; c + 4 <= count; c += 4) mosts = f32x4.max(mosts, v128.load(x + ((<usize>c) << 2)));
    most = max(
      max(f32x4.extract_lane(mosts, 0), f32x4.extract_lane(mosts, 1)),
      max(f32x4.extract_lane(mosts, 2), f32x4.extract_lane(mosts, 3)),
    );
  }
  for (; c < count; c++) most = max(most, load<f32>(x + ((<usize>c) << 2)));
  return most;
}

/** x <- exp(x - max) / sum over one row. */
export function softmaxRow(x: usize, count: i32): void {
  const most = largest(x, count);
  const mosts = f32x4.splat(most);
  let sums = f32x4.splat(0);
  const end = x + ((<usize>count) << 2);
  const whole = x + ((<usize>(count & ~3)) << 2);
  let at = x;
  for (; at < whole; at += 16) {
    const e = exponential(f32x4.sub(v128.load(at), mosts));
    v128.store(at, e);
    sums = f32x4.add(sums, e);
  }
  let sum = horizontalSum(sums);
  for (; at < end; at += 4) {
    const e = exponential1(load<f32>(at) - most);
    store<f32>(at, e);
    sum += e;
  }
  const factor: f32 = 1 / sum;
  at = x;
  for (; at < whole; at += 16) v128.store(at, f32x4.mul(v128.load(at), f32x4.splat(factor)));
  for (; at < end; at += 4) store<f32>(at, load<f32>(at) * factor);
}

/**
 * For every row of logits, in place: x <- x - max, probability = softmax; with t = token[row],
 * logProb[row] = log softmax_t and entropy[row] = -sum p log p, both 64-bit, in nats.
 *
 * logits and probability have `width` columns; token below 0 leaves logProb alone.
 */
export function logSoftmax(
  logits: usize, probability: usize, tokens: usize, logProb: usize, entropy: usize, logTotals: usize,
  rows: i32, width: i32,
): void {
  const bytes = (<usize>width) << 2;
  const whole = (<usize>(width & ~3)) << 2;
  for (let i = 0; i < rows; i++) {
    const most = largest(logits, width);
    const mosts = f32x4.splat(most);
    let sums = f32x4.splat(0);
    let weighted = f32x4.splat(0);
    let c: usize = 0;
    for (; c < whole; c += 16) {
      const x = f32x4.sub(v128.load(logits + c), mosts);
      const e = exponential(x);
      v128.store(logits + c, x);
      v128.store(probability + c, e);
      sums = f32x4.add(sums, e);
      weighted = f32x4.add(weighted, f32x4.mul(e, x));
    }
    let sum = <f64>horizontalSum(sums);
    let mean = <f64>horizontalSum(weighted);
    for (; c < bytes; c += 4) {
      const x = load<f32>(logits + c) - most;
      const e = exponential1(x);
      store<f32>(logits + c, x);
      store<f32>(probability + c, e);
      sum += e;
      mean += e * x;
    }
    const logTotal = Math.log(sum);
    store<f64>(logTotals, logTotal);
    store<f64>(entropy, logTotal - mean / sum);
    const token = load<i32>(tokens);
    if (token >= 0) store<f64>(logProb, <f64>load<f32>(logits + ((<usize>token) << 2)) - logTotal);
    const factor = <f32>(1 / sum);
    for (c = 0; c < whole; c += 16) {
      v128.store(probability + c, f32x4.mul(v128.load(probability + c), f32x4.splat(factor)));
    }
    for (; c < bytes; c += 4) store<f32>(probability + c, load<f32>(probability + c) * factor);
    logits += bytes;
    probability += bytes;
    tokens += 4;
    logProb += 8;
    entropy += 8;
    logTotals += 8;
  }
}

/** dLogits = dLogProb (1{token} - p) - dEntropy p (log p + entropy), from what `logSoftmax` left. */
export function logSoftmaxBackward(
  shifted: usize, probability: usize, tokens: usize, entropy: usize, logTotals: usize,
  dLogProb: usize, dEntropy: usize, dLogits: usize,
  rows: i32, width: i32,
): void {
  const bytes = (<usize>width) << 2;
  const whole = (<usize>(width & ~3)) << 2;
  for (let i = 0; i < rows; i++) {
    const dChosen = <f32>load<f64>(dLogProb);
    const dSpread = <f32>load<f64>(dEntropy);
    // log p + entropy = shifted + (entropy - logTotal)
    const offset = <f32>(load<f64>(entropy) - load<f64>(logTotals));
    let c: usize = 0;
    for (; c < whole; c += 16) {
      const spread = f32x4.mul(
        f32x4.splat(dSpread),
        f32x4.add(v128.load(shifted + c), f32x4.splat(offset)),
      );
      const d = f32x4.mul(v128.load(probability + c), f32x4.add(f32x4.splat(dChosen), spread));
      v128.store(dLogits + c, f32x4.neg(d));
    }
    for (; c < bytes; c += 4) {
      const spread = dSpread * (load<f32>(shifted + c) + offset);
      store<f32>(dLogits + c, -(load<f32>(probability + c) * (dChosen + spread)));
    }
    const chosen = dLogits + ((<usize>load<i32>(tokens)) << 2);
    store<f32>(chosen, load<f32>(chosen) + dChosen);
    shifted += bytes;
    probability += bytes;
    dLogits += bytes;
    tokens += 4;
    entropy += 8;
    logTotals += 8;
    dLogProb += 8;
    dEntropy += 8;
  }
}
