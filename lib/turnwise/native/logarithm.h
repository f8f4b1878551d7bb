#include "logTable.h"

INLINE double doubleOf(uint64_t bits) { return (union { uint64_t bits; double value; }){bits}.value; }
INLINE uint64_t bitsOf(double value) { return (union { double value; uint64_t bits; }){value}.bits; }

/**
 * ln x for x in [1, 2^1023], within .52 units of the last place and the same bits everywhere, which those of C libraries are
 * not: the method of ARM's optimized routines, without fused operations.
 */
static double logarithm(double x) {
  if (!(x < 0x1p1023)) return x; // infinite or NaN
  uint64_t bits = bitsOf(x);
  if (bits - 0x3FEE000000000000ull < 0x3FF1090000000000ull - 0x3FEE000000000000ull) {
    double r = x - 1.0;
    double r2 = r * r;
    double r3 = r2 * r;
    double y = r3 * (0x1.5555555555577p-2 + r * -0x1.ffffffffffdcbp-3 + r2 * 0x1.999999995dd0cp-3 +
                     r3 * (-0x1.55555556745a7p-3 + r * 0x1.24924a344de3p-3 + r2 * -0x1.fffffa4423d65p-4 +
                           r3 * (0x1.c7184282ad6cap-4 + r * -0x1.999eb43b068ffp-4 + r2 * 0x1.78182f7afd085p-4 +
                                 r3 * -0x1.5521375d145cdp-4)));
    double w = r * 0x1p27;
    double high = r + w - w;
    double low = r - high;
    w = high * high * -0.5;
    double sum = r + w;
    double rest = r - sum + w;
    rest += -0.5 * low * (high + r);
    return y + rest + sum;
  }
  // x = 2^k z, and z lies in the i-th of 128 intervals, near its center c.
  uint64_t offset = bits - 0x3FE6000000000000ull;
  uint32_t i = (uint32_t)(offset >> 45) & 127;
  int32_t k = (int32_t)((int64_t)offset >> 52);
  double z = doubleOf(bits - (offset & 0xFFF0000000000000ull));
  // log x = log1p(z / c - 1) + log c + k ln 2
  double r = (z - doubleOf(center[2 * i]) - doubleOf(center[2 * i + 1])) * doubleOf(inverseAndLog[2 * i]);
  double w = k * 0x1.62e42fefa3800p-1 + doubleOf(inverseAndLog[2 * i + 1]);
  double high = w + r;
  double low = w - high + r + k * 0x1.ef35793c76730p-45;
  double r2 = r * r;
  return low + r2 * -0x1.0000000000001p-1 +
         r * r2 * (0x1.555555551305bp-2 + r * -0x1.fffffffeb459p-3 + r2 * (0x1.999b324f10111p-3 + r * -0x1.55575e506c89fp-3)) +
         high;
}
