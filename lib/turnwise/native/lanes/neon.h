// 64-bit ARM: 32 registers of 4 floats.

#include <arm_neon.h>
#include "narrow.h"
#define TILE_ROWS 8

INLINE floats fused(floats x, floats y, floats sum) {
  return (floats)vfmaq_f32((float32x4_t)sum, (float32x4_t)x, (float32x4_t)y);
}
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
