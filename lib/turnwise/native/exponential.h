/** Added to a float below 2^22 and subtracted again, it rounds to a whole number; its last bits hold that number meanwhile. */
#define ROUNDS 12582912.0f

/** 2^n, where `rounded` = n + ROUNDS and n is from -126 to 127. */
INLINE floats powerOfTwo(floats rounded) { return (floats)(((integers)rounded + 127) << 23); }

INLINE floats expm1Reduced(floats x, floats n) {
  // ln 2 in two parts, the first with trailing zeros, so that n times it is exact.
  floats r = x - n * 0.693359375f;
  r = r - n * -2.12194440054690583e-4f;
  floats q = 0.0013882516f * r + 0.0083665471f;
  q = q * r + 0.0416672007f;
  q = q * r + 0.1666654342f;
  q = q * r + 0.4999999815f;
  return r + r * r * q;
}

/**
 * exp(x) = 2^n (1 + expm1(r)), x = n ln 2 + r, with expm1(r) = r + r^2 q(r) and q of degree 4 fitted to a relative error
 * of 1.4e-8 on |r| <= ln 2 / 2. Below -87 it is 0; NaN stays NaN.
 */
INLINE floats exponential(floats x) {
  floats y = least(most(x, splat(-87)), splat(88));
  floats rounded = y * 1.4426950408889634f + ROUNDS;
  floats scale = powerOfTwo(rounded);
  floats e = scale + scale * expm1Reduced(y, rounded - ROUNDS);
  return (floats)((integers)e & ~(x < splat(-87)));
}

/** exp(x) - 1 for x in [-87, 0], to the relative precision of a float near 0 as well. */
INLINE floats expm1Negative(floats x) {
  floats rounded = x * 1.4426950408889634f + ROUNDS;
  floats scale = powerOfTwo(rounded);
  return scale - 1.0f + scale * expm1Reduced(x, rounded - ROUNDS);
}

/** tanh(x) = -t / (t + 2) with t = expm1(-2 |x|), and the sign of x. */
INLINE floats hyperbolicTangent(floats x) {
  const integers sign = (integers)splat(-0.0f);
  floats size = least((floats)((integers)x & ~sign), splat(20));
  floats t = expm1Negative(size * -2.0f);
  return choose(sign, x, -t / (t + 2.0f));
}

/** 1 / (1 + exp(-x)). */
INLINE floats logistic(floats x) { return 1.0f / (1.0f + exponential(-x)); }
