// x86-64-v3: 16 registers of 8 floats.

#include <immintrin.h>
#define LANES 8
#define TILE_ROWS 6
typedef float floats __attribute__((vector_size(32)));
typedef int32_t integers __attribute__((vector_size(32)));

INLINE floats splat(float x) { return _mm256_set1_ps(x); }
INLINE floats fused(floats x, floats y, floats sum) { return _mm256_fmadd_ps(x, y, sum); }
/** y < x ? y : x, so that NaN in x stays. */
INLINE floats least(floats x, floats y) { return _mm256_min_ps(y, x); }
/** x < y ? y : x, so that NaN in x stays. */
INLINE floats most(floats x, floats y) { return _mm256_max_ps(y, x); }
INLINE __m256i first(int count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
INLINE floats loadPart(const float *x, int count) { return _mm256_maskload_ps(x, first(count)); }
INLINE void storePart(float *x, floats value, int count) { _mm256_maskstore_ps(x, first(count), value); }
