// Any other processor, such as x86-64 of before 2013: 16 registers of 4 floats, and products that are rounded twice.

#include "narrow.h"
#define TILE_ROWS 4
#if FUSED
#error "this target cannot round a product and its sum at once"
#endif

/** y < x ? y : x, so that NaN in x stays. */
INLINE floats least(floats x, floats y) {
  integers mask = y < x;
  return (floats)(((integers)y & mask) | ((integers)x & ~mask));
}
/** x < y ? y : x, so that NaN in x stays. */
INLINE floats most(floats x, floats y) {
  integers mask = x < y;
  return (floats)(((integers)y & mask) | ((integers)x & ~mask));
}
