/**
 * sum + x y: rounded once where the engine has relaxed SIMD and the processor a fused instruction (all of x86-64 since
 * 2013, all of 64-bit ARM), else twice. Every sum of a product goes through it, so that a row has the same bits alone and in
 * company.
 */
// @ts-ignore: decorator
@inline
export function madd(x: v128, y: v128, sum: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(x, y, sum) : f32x4.add(sum, f32x4.mul(x, y));
}
