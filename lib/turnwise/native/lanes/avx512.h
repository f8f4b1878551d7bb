// x86-64-v4: 32 registers of 16 floats, and masks for the ends of rows.

#include <immintrin.h>
#define LANES 16
#define TILE_ROWS 8
typedef float floats __attribute__((vector_size(64)));
typedef int32_t integers __attribute__((vector_size(64)));

INLINE floats splat(float x) { return _mm512_set1_ps(x); }
INLINE floats fused(floats x, floats y, floats sum) { return _mm512_fmadd_ps(x, y, sum); }
/** y < x ? y : x, so that NaN in x stays. */
INLINE floats least(floats x, floats y) { return _mm512_min_ps(y, x); }
/** x < y ? y : x, so that NaN in x stays. */
INLINE floats most(floats x, floats y) { return _mm512_max_ps(y, x); }
INLINE floats loadPart(const float *x, int count) { return _mm512_maskz_loadu_ps((1u << count) - 1, x); }
INLINE void storePart(float *x, floats value, int count) {
  _mm512_mask_storeu_ps(x, (1u << count) - 1, value);
}
