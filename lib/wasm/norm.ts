import { horizontalSum } from "./elementwise";

/** y = unit gain, unit = (x - mean) scale, scale = 1 / sqrt(variance + 1e-5), over rows of `width`. */
export function layerNorm(
  x: usize, gain: usize, y: usize, unit: usize, scales: usize, rows: i32, width: i32,
): void {
  const bytes = (<usize>width) << 2;
  const whole = (<usize>(width & ~3)) << 2;
  for (let i = 0; i < rows; i++, x += bytes, y += bytes, unit += bytes, scales += 4) {
    let sums = f32x4.splat(0);
    for (let c: usize = 0; c < whole; c += 16) sums = f32x4.add(sums, v128.load(x + c));
    let sum = horizontalSum(sums);
    for (let c = whole; c < bytes; c += 4) sum += load<f32>(x + c);
    const mean = sum / <f32>width;
    const means = f32x4.splat(mean);
    sums = f32x4.splat(0);
    for (let c: usize = 0; c < whole; c += 16) {
      const off = f32x4.sub(v128.load(x + c), means);
      sums = f32x4.add(sums, f32x4.mul(off, off));
    }
    sum = horizontalSum(sums);
    for (let c = whole; c < bytes; c += 4) {
      const off = load<f32>(x + c) - mean;
      sum += off * off;
    }
    const scale: f32 = 1 / sqrt<f32>(sum / <f32>width + 1e-5);
    store<f32>(scales, scale);
    const factor = f32x4.splat(scale);
    for (let c: usize = 0; c < whole; c += 16) {
      const u = f32x4.mul(f32x4.sub(v128.load(x + c), means), factor);
      v128.store(unit + c, u);
      v128.store(y + c, f32x4.mul(u, v128.load(gain + c)));
    }
    for (let c = whole; c < bytes; c += 4) {
      const u = (load<f32>(x + c) - mean) * scale;
      store<f32>(unit + c, u);
      store<f32>(y + c, u * load<f32>(gain + c));
    }
  }
}

/** The way back of `layerNorm`: adds to dX. The gradient of the gain is that of `addRowProducts` of dY and unit. */
export function layerNormBackward(
  dY: usize, unit: usize, scales: usize, gain: usize, dX: usize, rows: i32, width: i32,
): void {
  const bytes = (<usize>width) << 2;
  const whole = (<usize>(width & ~3)) << 2;
  for (let i = 0; i < rows; i++, dY += bytes, unit += bytes, dX += bytes, scales += 4) {
    let sums = f32x4.splat(0);
    let alongs = f32x4.splat(0);
    for (let c: usize = 0; c < whole; c += 16) {
      const u = v128.load(unit + c);
      const d = f32x4.mul(v128.load(dY + c), v128.load(gain + c));
      sums = f32x4.add(sums, d);
      alongs = f32x4.add(alongs, f32x4.mul(d, u));
    }
    let sum = horizontalSum(sums);
    let along = horizontalSum(alongs);
    for (let c = whole; c < bytes; c += 4) {
      const u = load<f32>(unit + c);
      const d = load<f32>(dY + c) * load<f32>(gain + c);
      sum += d;
      along += d * u;
    }
    sum /= <f32>width;
    along /= <f32>width;
    const scale = load<f32>(scales);
    const factor = f32x4.splat(scale);
    for (let c: usize = 0; c < whole; c += 16) {
      const d = f32x4.mul(v128.load(dY + c), v128.load(gain + c));
      const centred = f32x4.sub(
        f32x4.sub(d, f32x4.splat(sum)),
        f32x4.mul(v128.load(unit + c), f32x4.splat(along)),
      );
      v128.store(dX + c, f32x4.add(v128.load(dX + c), f32x4.mul(factor, centred)));
    }
    for (let c = whole; c < bytes; c += 4) {
      const d = load<f32>(dY + c) * load<f32>(gain + c);
      store<f32>(dX + c, load<f32>(dX + c) + scale * (d - sum - load<f32>(unit + c) * along));
    }
  }
}
