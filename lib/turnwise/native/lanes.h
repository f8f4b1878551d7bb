// Vectors of the target's width, and what each target has of its own. All else is plain C with GCC's vector extensions, so
// that one text serves every processor. LANES is the width in floats; a tile is what products keep in registers.

#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

typedef float f4 __attribute__((vector_size(16)));
typedef float f4Anywhere __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t i4 __attribute__((vector_size(16)));

#if defined(__wasm__)
#include "lanes/wasm.h"
#elif defined(__AVX512F__)
#include "lanes/avx512.h"
#elif defined(__AVX2__)
#include "lanes/avx2.h"
#elif defined(__aarch64__)
#include "lanes/neon.h"
#else
#include "lanes/plain.h"
#endif

typedef float floatsAnywhere __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

INLINE f4 load4(const float *x) { return *(const f4Anywhere *)x; }
INLINE void store4(float *x, f4 value) { *(f4Anywhere *)x = value; }
INLINE f4 splat4(float x) { return (f4){x, x, x, x}; }

INLINE floats load(const float *x) { return *(const floatsAnywhere *)x; }
INLINE void store(float *x, floats value) { *(floatsAnywhere *)x = value; }

/** The next `count` floats, or as many as there are lanes. What lies behind the last one is not touched. */
INLINE floats get(const float *x, int count) { return count >= LANES ? load(x) : loadPart(x, count); }
INLINE void put(float *x, floats value, int count) {
  if (count >= LANES) store(x, value);
  else storePart(x, value, count);
}

/**
 * sum + x y: rounded once where FUSED, else twice. Every sum of a product goes through it, so that a row has the same bits
 * alone and in company.
 */
INLINE floats multiplyAdd(floats x, floats y, floats sum) {
#if FUSED
  return fused(x, y, sum);
#else
  return sum + x * y;
#endif
}

/** Where the mask is set x, else y. */
INLINE floats choose(integers mask, floats x, floats y) {
  return (floats)(((integers)x & mask) | ((integers)y & ~mask));
}

/** The statements for each vector of `count` floats: from `c` on, LANES of them or, at the end, the `left` ones. */
#define OVER(count, ...)                                                                                  \
  {                                                                                                       \
    int c = 0;                                                                                            \
    for (; c + LANES <= (count); c += LANES) {                                                            \
      const int left = LANES;                                                                             \
      __VA_ARGS__                                                                                         \
    }                                                                                                     \
    if (c < (count)) {                                                                                    \
      const int left = (count) - c;                                                                       \
      __VA_ARGS__                                                                                         \
    }                                                                                                     \
  }
