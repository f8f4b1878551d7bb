// 128-bit WebAssembly. Larger tiles than this one spill, and a third of the speed is gone. pmin and pmax are one instruction
// of the processor each; min and max, which treat NaN and -0 in their own way, are several.

#include "narrow.h"
#define TILE_ROWS 4

INLINE floats fused(floats x, floats y, floats sum) {
#if FUSED
  return __builtin_wasm_relaxed_madd_f32x4(x, y, sum);
#else
  return sum + x * y;
#endif
}
INLINE floats least(floats x, floats y) { return __builtin_wasm_pmin_f32x4(x, y); }
INLINE floats most(floats x, floats y) { return __builtin_wasm_pmax_f32x4(x, y); }
