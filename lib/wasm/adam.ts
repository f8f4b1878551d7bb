/**
 * One step of Adam on 64-bit floats, two at a time, operation for operation what the optimiser's loop does:
 *   m <- beta1 m + (1 - beta1) g,  v <- beta2 v + (1 - beta2) g^2,  x <- x - rate m / (sqrt(v / correction) + epsilon)
 *
 * with g scaled first; a mean below `forgotten` is kept as 0. count is even.
 */
export function adam(
  x: usize, gradient: usize, mean: usize, square: usize, count: i32,
  scale: f64, rate: f64, correction: f64, beta1: f64, beta2: f64, epsilon: f64, forgotten: f64,
): void {
  for (let i: usize = 0; i < (<usize>count) << 3; i += 16) {
    const g = f64x2.mul(f64x2.splat(scale), v128.load(gradient + i));
    const m = f64x2.add(
      f64x2.mul(f64x2.splat(beta1), v128.load(mean + i)),
      f64x2.mul(f64x2.splat(1 - beta1), g),
    );
    const v = f64x2.add(
      f64x2.mul(f64x2.splat(beta2), v128.load(square + i)),
      f64x2.mul(f64x2.mul(f64x2.splat(1 - beta2), g), g),
    );
    v128.store(mean + i, v128.andnot(m, f64x2.lt(f64x2.abs(m), f64x2.splat(forgotten))));
    v128.store(square + i, v);
    const size = f64x2.add(f64x2.sqrt(f64x2.div(v, f64x2.splat(correction))), f64x2.splat(epsilon));
    const step = f64x2.div(f64x2.mul(f64x2.splat(rate), m), size);
    v128.store(x + i, f64x2.sub(v128.load(x + i), step));
  }
}
