typedef double doubles __attribute__((vector_size(4 * LANES)));
typedef double doublesAnywhere __attribute__((vector_size(4 * LANES), aligned(8), may_alias));
typedef int64_t longs __attribute__((vector_size(4 * LANES)));

/** So many squares are added at once: few enough to lie seldom halfway, as those of 32-bit gradients may. */
#define SQUARES 32

/**
 * Adds SQUARES squares to a sum between `power` and twice that, a power of two; 0 if they have to be added one by one.
 *
 * While a sum stays between two powers of two, it is always a multiple of its last place, and to add a square is to add the
 * multiple that is nearest to it. Those can be added in any order. It is different where a square lies halfway between two
 * multiples, as then the sum decides, and where the sum comes to the next power.
 */
INLINE int addBlock(double *sum, const double *x, double power) {
  double half = power * 0x1p-53;
  doubles added[2] = {{0}, {0}};
  longs halfway = {0};
#pragma GCC unroll 32
  for (int i = 0; i < SQUARES; i += LANES / 2) {
    doubles own = *(const doublesAnywhere *)(x + i);
    doubles square = own * own;
    doubles nearest = power + square - power;
    doubles rest = square - nearest;
    halfway |= (rest == half) | (rest == -half);
    added[i / (LANES / 2) % 2] += nearest;
  }
  doubles all = added[0] + added[1];
  int64_t any = 0;
  double more = 0;
  for (int i = 0; i < LANES / 2; i++) {
    any |= halfway[i];
    more += all[i];
  }
  if (any != 0 || !(*sum + more < 2 * power)) return 0;
  *sum += more;
  return 1;
}

/** total <- total + x_0^2 + x_1^2 + ..., with the bits of a loop that adds one after the other. */
KERNEL(squares)(const double *x, double *total, int count) {
  double sum = *total;
  for (int i = 0; i < count;) {
    double power = doubleOf(bitsOf(sum) & 0x7FF0000000000000ull);
    while (count - i >= SQUARES && addBlock(&sum, x + i, power)) i += SQUARES;
    for (int end = count - i < SQUARES ? count : i + SQUARES; i < end; i++) sum += x[i] * x[i];
  }
  *total = sum;
}
