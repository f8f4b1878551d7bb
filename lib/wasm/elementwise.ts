import { hyperbolicTangent, logistic } from "./exponential";

// Arrays begin at a multiple of 16 bytes and are padded to one, so that whole vectors may be read and written.

/** x <- tanh(x). */
export function tanh(x: usize, count: i32): void {
  for (let i = 0; i < count; i += 4, x += 16) v128.store(x, hyperbolicTangent(v128.load(x)));
}

/** d <- d (1 - h^2), the derivative through h = tanh. */
export function timesTanhSlope(d: usize, h: usize, count: i32): void {
  for (let i = 0; i < count; i += 4, d += 16, h += 16) {
    const y = v128.load(h);
    v128.store(d, f32x4.mul(v128.load(d), f32x4.sub(f32x4.splat(1), f32x4.mul(y, y))));
  }
}

/** x <- max(0, x). */
export function relu(x: usize, count: i32): void {
  for (let i = 0; i < count; i += 4, x += 16) v128.store(x, f32x4.max(v128.load(x), f32x4.splat(0)));
}

/** d <- d where the output h of relu is above 0, else 0. */
export function timesReluSlope(d: usize, h: usize, count: i32): void {
  for (let i = 0; i < count; i += 4, d += 16, h += 16) {
    v128.store(d, v128.and(v128.load(d), f32x4.gt(v128.load(h), f32x4.splat(0))));
  }
}

/** to <- from, rounded from 64 bits to 32. */
export function demote(from: usize, to: usize, count: i32): void {
  for (let i = 0; i < count; i += 2, from += 16, to += 8) {
    v128.store64_lane(to, f32x4.demote_f64x2_zero(v128.load(from)), 0);
  }
}

/** to <- from, from 32 bits to 64. */
export function promote(from: usize, to: usize, count: i32): void {
  for (let i = 0; i < count; i += 2, from += 8, to += 16) {
    v128.store(to, f64x2.promote_low_f32x4(v128.load64_zero(from)));
  }
}

/** x <- 0. */
export function clear(x: usize, count: i32): void {
  memory.fill(x, 0, (<usize>count) << 2);
}

/** Every row of x <- row. */
export function broadcast(x: usize, row: usize, rows: i32, width: i32): void {
  const bytes = (<usize>width) << 2;
  for (let i = 0; i < rows; i++, x += bytes) memory.copy(x, row, bytes);
}

/** sum <- sum + the sum of the rows of x, in order, over `width` columns of rows of `stride`. */
export function addRows(sum: usize, x: usize, rows: i32, width: i32, stride: i32): void {
  for (let i = 0; i < rows; i++, x += (<usize>stride) << 2) addRow(sum, x, width);
}

/** sum <- sum + the sum over the rows of x y, in order, over `width` columns of rows of `stride`. */
export function addRowProducts(sum: usize, x: usize, y: usize, rows: i32, width: i32, stride: i32): void {
  const bytes = (<usize>stride) << 2;
  for (let i = 0; i < rows; i++, x += bytes, y += bytes) {
    let c: usize = 0;
    for (; c + 16 <= (<usize>width) << 2; c += 16) {
      v128.store(sum + c, f32x4.add(v128.load(sum + c), f32x4.mul(v128.load(x + c), v128.load(y + c))));
    }
    for (; c < (<usize>width) << 2; c += 4) {
      store<f32>(sum + c, load<f32>(sum + c) + load<f32>(x + c) * load<f32>(y + c));
    }
  }
}

/**
 * x[i] <- x[i] + sum over the row's places of the table's row at that offset (in elements; below 0 there is none).
 */
export function gather(x: usize, table: usize, offsets: usize, rows: i32, places: i32, width: i32): void {
  for (let i = 0; i < rows; i++, x += (<usize>width) << 2) {
    for (let j = 0; j < places; j++, offsets += 4) {
      const offset = load<i32>(offsets);
      if (offset >= 0) addRow(x, table + ((<usize>offset) << 2), width);
    }
  }
}

/**
 * The way back of `gather`: adds each row of d to the rows of the table that it came from, in order, over `width` columns
 * of rows of `stride`.
 */
export function scatter(
  table: usize, d: usize, offsets: usize,
  rows: i32, places: i32, width: i32, stride: i32,
): void {
  for (let i = 0; i < rows; i++, d += (<usize>stride) << 2) {
    for (let j = 0; j < places; j++, offsets += 4) {
      const offset = load<i32>(offsets);
      if (offset >= 0) addRow(table + ((<usize>offset) << 2), d, width);
    }
  }
}

function addRow(x: usize, y: usize, width: i32): void {
  let c = 0;
  for (; c + 4 <= width; c += 4, x += 16, y += 16) v128.store(x, f32x4.add(v128.load(x), v128.load(y)));
  for (; c < width; c++, x += 4, y += 4) store<f32>(x, load<f32>(x) + load<f32>(y));
}

/** x <- x + factor y, over rows that need not be padded. */
export function addScaled(x: usize, y: usize, factor: f32, width: i32): void {
  const f = f32x4.splat(factor);
  let c = 0;
  for (; c + 4 <= width; c += 4, x += 16, y += 16) {
    v128.store(x, f32x4.add(v128.load(x), f32x4.mul(f, v128.load(y))));
  }
  for (; c < width; c++, x += 4, y += 4) store<f32>(x, load<f32>(x) + factor * load<f32>(y));
}

/** x <- factor x, over a row that need not be padded. */
export function scaled(x: usize, factor: f32, width: i32): void {
  let c = 0;
  for (; c + 4 <= width; c += 4, x += 16) v128.store(x, f32x4.mul(v128.load(x), f32x4.splat(factor)));
  for (; c < width; c++, x += 4) store<f32>(x, load<f32>(x) * factor);
}

/** The sum of x y. */
export function dot(x: usize, y: usize, width: i32): f32 {
  let sums = f32x4.splat(0);
  let c = 0;
  for (; c + 4 <= width; c += 4, x += 16, y += 16) {
    sums = f32x4.add(sums, f32x4.mul(v128.load(x), v128.load(y)));
  }
  let sum = horizontalSum(sums);
  for (; c < width; c++, x += 4, y += 4) sum += load<f32>(x) * load<f32>(y);
  return sum;
}

export function horizontalSum(x: v128): f32 {
  return (
    f32x4.extract_lane(x, 0) + f32x4.extract_lane(x, 1) + (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3))
  );
}

/**
 * The end of a step of the gated recurrent unit, in place on what enters the gates:
 *   z <- sigmoid(z), r <- sigmoid(r), n <- tanh(n + r recurrent), after = n + z (before - n).
 *
 * Rows need not be padded: the last vector is done alone on copies.
 */
export function gruCell(
  z: usize, r: usize, n: usize, recurrent: usize, before: usize, after: usize, count: i32,
): void {
  const bytes = (<usize>count) << 2;
  const whole = bytes & ~15;
  let i: usize = 0;
  for (; i < whole; i += 16) {
    const update = logistic(v128.load(z + i));
    const reset = logistic(v128.load(r + i));
    const candidate = hyperbolicTangent(
      f32x4.add(v128.load(n + i), f32x4.mul(reset, v128.load(recurrent + i))),
    );
    v128.store(z + i, update);
    v128.store(r + i, reset);
    v128.store(n + i, candidate);
    const change = f32x4.mul(update, f32x4.sub(v128.load(before + i), candidate));
    v128.store(after + i, f32x4.add(candidate, change));
  }
  for (; i < bytes; i += 4) {
    const update = first(logistic(f32x4.splat(load<f32>(z + i))));
    const reset = first(logistic(f32x4.splat(load<f32>(r + i))));
    const candidate = first(
      hyperbolicTangent(f32x4.splat(load<f32>(n + i) + reset * load<f32>(recurrent + i))),
    );
    store<f32>(z + i, update);
    store<f32>(r + i, reset);
    store<f32>(n + i, candidate);
    store<f32>(after + i, candidate + update * (load<f32>(before + i) - candidate));
  }
}

function first(x: v128): f32 {
  return f32x4.extract_lane(x, 0);
}

/** The way back of `gruCell`: derivatives in what enters the gates, in `recurrent` and directly in the state before. */
export function gruCellBackward(
  d: usize,
  z: usize, r: usize, n: usize, recurrent: usize, before: usize,
  dZ: usize, dR: usize, dN: usize, dRecurrent: usize, dBefore: usize,
  count: i32,
): void {
  const one = f32x4.splat(1);
  const bytes = (<usize>count) << 2;
  const whole = bytes & ~15;
  let i: usize = 0;
  for (; i < whole; i += 16) {
    const out = v128.load(d + i);
    const update = v128.load(z + i);
    const reset = v128.load(r + i);
    const candidate = v128.load(n + i);
    const dCandidate = f32x4.mul(
      f32x4.mul(out, f32x4.sub(one, update)),
      f32x4.sub(one, f32x4.mul(candidate, candidate)),
    );
    const dUpdate = f32x4.mul(out, f32x4.sub(v128.load(before + i), candidate));
    v128.store(dZ + i, f32x4.mul(dUpdate, f32x4.mul(update, f32x4.sub(one, update))));
    const dReset = f32x4.mul(dCandidate, v128.load(recurrent + i));
    v128.store(dR + i, f32x4.mul(dReset, f32x4.mul(reset, f32x4.sub(one, reset))));
    v128.store(dN + i, dCandidate);
    v128.store(dRecurrent + i, f32x4.mul(dCandidate, reset));
    v128.store(dBefore + i, f32x4.mul(out, update));
  }
  for (; i < bytes; i += 4) {
    const out = load<f32>(d + i);
    const update = load<f32>(z + i);
    const reset = load<f32>(r + i);
    const candidate = load<f32>(n + i);
    const dCandidate = out * (1 - update) * (1 - candidate * candidate);
    store<f32>(dZ + i, out * (load<f32>(before + i) - candidate) * (update * (1 - update)));
    store<f32>(dR + i, dCandidate * load<f32>(recurrent + i) * (reset * (1 - reset)));
    store<f32>(dN + i, dCandidate);
    store<f32>(dRecurrent + i, dCandidate * reset);
    store<f32>(dBefore + i, out * update);
  }
}
