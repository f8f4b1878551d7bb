// e^x and e^x - 1 of 64-bit floats: the methods and so the bits of lib/turnwise/src/base/elementary, whose tables come with each call.

#define PAIRS (LANES / 2)
typedef double doubles __attribute__((vector_size(4 * LANES)));
typedef uint64_t wides __attribute__((vector_size(4 * LANES)));

/** 2^(i / 128) for i < 128 as a sum of two doubles, then what takes an argument apart into steps of ln 2 / 128. */
typedef struct {
  double head[128], tail[128], stepsPerNat, stepHead, stepTail;
} Powers;

/** Added to a double below 2^51 and subtracted again, it rounds to a whole number; its last bits hold that number meanwhile. */
#define ROUNDS64 6755399441055744.0

INLINE doubles pick(wides mask, doubles x, doubles y) { return (doubles)(((wides)x & mask) | ((wides)y & ~mask)); }

/** e^x and e^x - 1, for |x| < 50. */
INLINE void exponentials(doubles x, const Powers *powers, doubles *power, doubles *less) {
  doubles rounded = x * powers->stepsPerNat + ROUNDS64;
  doubles k = rounded - ROUNDS64;
  doubles coarse = x - k * powers->stepHead;
  doubles step = k * powers->stepTail;
  doubles r = coarse - step;
  wides n = (wides)rounded;
  wides place = n & 127;
  doubles scale, tail;
  for (int i = 0; i < PAIRS; i++) {
    scale[i] = powers->head[place[i]];
    tail[i] = powers->tail[place[i]];
  }
  doubles two = (doubles)(((n >> 7) + 1023) << 52);
  doubles square = r * r;
  doubles p = r + square * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))));
  *power = (scale + (tail + scale * p)) * two;
  doubles near =
    x +
    x * x *
      (0.5 + x * (1.0 / 6 + x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040 + x * (1.0 / 40320)))))));
  doubles lost = coarse - r - step;
  doubles rest = square * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720))))) + lost;
  doubles high = scale * two;
  doubles whole = high - 1;
  // What the subtraction has rounded away.
  doubles away = pick((wides)(high > 1.0), high - whole - 1, high - (whole + 1));
  doubles up = high * r;
  doubles sum = whole + up;
  doubles kept = pick((wides)(whole > up) | (wides)(whole < -up), up - (sum - whole), whole - (sum - up));
  doubles far = sum + (kept + (away + (tail * two + high * rest)));
  *less = pick((wides)(x < 0.02) & (wides)(x > -0.02), near, far);
}

/** 2^n, for n from -1022 to 1023. */
INLINE double twoTo(int n) { return doubleOf((uint64_t)(n + 1023) << 52); }

/** e^x for any x. */
static double exponential64(double x, const Powers *powers) {
  if (!(x <= 709.782712893384 && x > -745.1332191019412)) return x != x ? x : x > 0 ? __builtin_inf() : 0;
  double k = x * powers->stepsPerNat + ROUNDS64 - ROUNDS64;
  double r = x - k * powers->stepHead - k * powers->stepTail;
  int n = (int)k, i = n & 127, m = n >> 7;
  double p = r + r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))));
  double value = powers->head[i] + (powers->tail[i] + powers->head[i] * p);
  if (m > 1023) return value * 2 * 0x1p1023;
  // In two steps, of which only the last one rounds.
  if (m < -1022) return value * twoTo(m + 54) * 0x1p-54;
  return value * twoTo(m);
}
