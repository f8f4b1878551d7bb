/**
 * exp(x) = 2^n (1 + expm1(r)), x = n ln 2 + r, with expm1(r) = r + r^2 q(r) and q of degree 4 fitted to a relative error
 * of 1.4e-8 on |r| <= ln 2 / 2. Below -87 it is 0; NaN stays NaN.
 */
export function exponential(x: v128): v128 {
  const y = f32x4.min(f32x4.max(x, f32x4.splat(-87)), f32x4.splat(88));
  const n = f32x4.nearest(f32x4.mul(y, f32x4.splat(1.4426950408889634)));
  const scale = powerOfTwo(n);
  const e = f32x4.add(scale, f32x4.mul(scale, expm1Reduced(y, n)));
  return v128.andnot(e, f32x4.lt(x, f32x4.splat(-87)));
}

/** exp(x) - 1 for x in [-87, 0], to the relative precision of a float near 0 as well. */
export function expm1Negative(x: v128): v128 {
  const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.4426950408889634)));
  const scale = powerOfTwo(n);
  return f32x4.add(f32x4.sub(scale, f32x4.splat(1)), f32x4.mul(scale, expm1Reduced(x, n)));
}

export function exponential1(x: f32): f32 {
  return f32x4.extract_lane(exponential(f32x4.splat(x)), 0);
}

function powerOfTwo(n: v128): v128 {
  return i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
}

function expm1Reduced(x: v128, n: v128): v128 {
  // ln 2 in two parts, the first with trailing zeros, so that n times it is exact.
  let r = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.12194440054690583e-4)));
  let q = f32x4.add(f32x4.mul(f32x4.splat(0.0013882516), r), f32x4.splat(0.0083665471));
  q = f32x4.add(f32x4.mul(q, r), f32x4.splat(0.0416672007));
  q = f32x4.add(f32x4.mul(q, r), f32x4.splat(0.1666654342));
  q = f32x4.add(f32x4.mul(q, r), f32x4.splat(0.4999999815));
  return f32x4.add(r, f32x4.mul(f32x4.mul(r, r), q));
}

/** tanh(x) = -t / (t + 2) with t = expm1(-2 |x|), and the sign of x. */
export function hyperbolicTangent(x: v128): v128 {
  const size = f32x4.min(f32x4.abs(x), f32x4.splat(20));
  const t = expm1Negative(f32x4.mul(size, f32x4.splat(-2)));
  const y = f32x4.div(f32x4.neg(t), f32x4.add(t, f32x4.splat(2)));
  return v128.bitselect(x, y, i32x4.splat(0x80000000));
}

/** 1 / (1 + exp(-x)). */
export function logistic(x: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), exponential(f32x4.neg(x))));
}
