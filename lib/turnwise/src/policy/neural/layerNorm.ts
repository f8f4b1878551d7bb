import { square } from "../../base/elementary/square";

const EPSILON = 1e-5;

export interface Normalized {
  readonly out: Float64Array;
  /** Adds to d loss / d x and to the gain's gradient. */
  backward(dOut: Float64Array, dX: Float64Array, gradient: Float64Array): void;
}

/** y = (x - mean) / sqrt(variance + 1e-5) * gain, over rows of `width`. */
export function layerNorm(x: Float64Array, width: number, w: Float64Array, gain: number): Normalized {
  const rows = x.length / width;
  const out = new Float64Array(x.length);
  const unit = new Float64Array(x.length);
  const scale = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let mean = 0;
    for (let c = 0; c < width; c++) mean += x[i * width + c]! / width;
    let variance = 0;
    for (let c = 0; c < width; c++) variance += square(x[i * width + c]! - mean) / width;
    scale[i] = 1 / Math.sqrt(variance + EPSILON);
    for (let c = 0; c < width; c++) {
      unit[i * width + c] = (x[i * width + c]! - mean) * scale[i]!;
      out[i * width + c] = unit[i * width + c]! * w[gain + c]!;
    }
  }
  return {
    out,
    backward(dOut, dX, gradient) {
      for (let i = 0; i < rows; i++) {
        let sum = 0;
        let along = 0;
        for (let c = 0; c < width; c++) {
          const d = dOut[i * width + c]! * w[gain + c]!;
          gradient[gain + c]! += dOut[i * width + c]! * unit[i * width + c]!;
          sum += d / width;
          along += (d * unit[i * width + c]!) / width;
        }
        for (let c = 0; c < width; c++) {
          const d = dOut[i * width + c]! * w[gain + c]!;
          dX[i * width + c]! += scale[i]! * (d - sum - unit[i * width + c]! * along);
        }
      }
    },
  };
}
