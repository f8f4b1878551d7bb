// All kernels in one text, which is compiled to WebAssembly, with and without relaxed SIMD, and natively for several
// processors. Pointers of floats need no alignment. Nothing here keeps state between calls.

#include <stddef.h>
#include "lanes.h"
#if defined(__wasm__)
#define KERNEL(name) __attribute__((export_name(#name))) void k_##name
#else
#define KERNEL(name) static void k_##name
#endif
#include "exponential.h"
#include "logarithm.h"
#include "sums.h"
#include "tile.h"
#include "gemm.h"
#include "transpose.h"
#include "elementwise.h"
#include "rows.h"
#include "gru.h"
#include "norm.h"
#include "softmax.h"
#include "draw.h"
#include "attention.h"
#include "adam.h"
#include "squares.h"
#include "exponential64.h"
#include "tabular.h"
