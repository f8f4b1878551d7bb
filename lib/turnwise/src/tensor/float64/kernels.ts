import { exp } from "../../base/elementary/exp";
import type { KernelFunc } from "@tensorflow/tfjs-core";
import { tf } from "../backend";
import { elementwiseKernels } from "./elementwise";
import { broadcastStrides, places } from "./indices";
import type { Call, Kernel } from "./kernel";
import { moves, moving } from "./moving";
import { reductionKernels } from "./reductions";

const select: Kernel = ({ inputs, backend }) => {
  const [condition, t, e] = [inputs["condition"]!, inputs["t"]!, inputs["e"]!];
  if (t.dtype !== "float32" || e.dtype !== "float32") return null;
  const [chosen, yes, no] = [backend.numbers(condition), backend.numbers(t), backend.numbers(e)];
  if (chosen.length !== yes.length) return null;
  const to = new Float64Array(yes.length);
  for (let i = 0; i < to.length; i++) to[i] = chosen[i] ? yes[i]! : no[i]!;
  return backend.doubles(t.shape, to);
};

const softmax: Kernel = ({ inputs, backend }) => {
  const x = inputs["logits"]!;
  if (x.dtype !== "float32") return null;
  const values = backend.numbers(x);
  const to = new Float64Array(values.length);
  const width = x.shape.at(-1)!;
  for (let first = 0; first < to.length; first += width) {
    let most = -Infinity;
    for (let i = first; i < first + width; i++) most = Math.max(most, values[i]!);
    let sum = 0;
    for (let i = first; i < first + width; i++) sum += to[i] = exp(values[i]! - most);
    for (let i = first; i < first + width; i++) to[i]! /= sum;
  }
  return backend.doubles(x.shape, to);
};

const batchMatMul: Kernel = ({ inputs, attrs, backend }) => {
  const [a, b] = [inputs["a"]!, inputs["b"]!];
  if (a.dtype !== "float32" || b.dtype !== "float32") return null;
  const { transposeA, transposeB } = attrs as { transposeA: boolean; transposeB: boolean };
  const sizes = (shape: number[], transposed: boolean): readonly [number, number] =>
    transposed ? [shape.at(-1)!, shape.at(-2)!] : [shape.at(-2)!, shape.at(-1)!];
  const [rows, inner] = sizes(a.shape, transposeA);
  const [innerB, columns] = sizes(b.shape, transposeB);
  if (inner !== innerB) return null;
  const outer = tf.broadcast_util.assertAndGetBroadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const [x, y] = [backend.numbers(a), backend.numbers(b)];
  const inX = places(outer, broadcastStrides(a.shape.slice(0, -2), outer));
  const inY = places(outer, broadcastStrides(b.shape.slice(0, -2), outer));
  const to = new Float64Array(inX.length * rows * columns);
  const [rowX, innerX] = transposeA ? [1, rows] : [inner, 1];
  const [innerY, columnY] = transposeB ? [1, inner] : [columns, 1];
  for (let m = 0; m < inX.length; m++) {
    const [fromX, fromY] = [inX[m]! * rows * inner, inY[m]! * inner * columns];
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let k = 0; k < inner; k++)
          sum += x[fromX + r * rowX + k * innerX]! * y[fromY + k * innerY + c * columnY]!;
        to[(m * rows + r) * columns + c] = sum;
      }
    }
  }
  return backend.doubles([...outer, rows, columns], to);
};

const segmentSum: Kernel = ({ inputs, attrs, backend }) => {
  const [x, ids] = [inputs["x"]!, inputs["segmentIds"]!];
  if (x.dtype !== "float32" || ids.shape.length !== 1) return null;
  const values = backend.numbers(x);
  const segments = backend.numbers(ids);
  const width = values.length / Math.max(1, segments.length);
  const to = new Float64Array((attrs["numSegments"] as number) * width);
  for (let i = 0; i < values.length; i++) {
    const segment = segments[Math.floor(i / width)]!;
    if (segment >= 0) to[segment * width + (i % width)]! += values[i]!;
  }
  return backend.doubles([attrs["numSegments"] as number, ...x.shape.slice(1)], to);
};

const addN: Kernel = ({ inputs, backend }) => {
  const all = Object.values(inputs);
  if (all.some(({ dtype }) => dtype !== "float32")) return null;
  const to = new Float64Array(tf.util.sizeFromShape(all[0]!.shape));
  for (const one of all) {
    const values = backend.numbers(one);
    for (let i = 0; i < to.length; i++) to[i]! += values[i]!;
  }
  return backend.doubles(all[0]!.shape, to);
};

const fill: Kernel = ({ attrs, backend }) => {
  const { shape, value, dtype } = attrs as { shape: number[]; value: number | string; dtype?: string };
  if (typeof value !== "number" || (dtype ?? "float32") !== "float32") return null;
  return backend.doubles(shape, new Float64Array(tf.util.sizeFromShape(shape)).fill(value));
};

/** Every kernel that we compute ourselves; all others are TensorFlow.js's, in single precision. */
const kernels: Readonly<Record<string, Kernel>> = {
  ...elementwiseKernels,
  ...reductionKernels,
  Select: select,
  Softmax: softmax,
  BatchMatMul: batchMatMul,
  UnsortedSegmentSum: segmentSum,
  AddN: addN,
  Fill: fill,
};

/** The kernel that the backend registers under a name, given TensorFlow.js's own. */
export function doublePrecision(name: string, original: KernelFunc): KernelFunc {
  if (moves.includes(name)) return moving(original);
  const own = kernels[name];
  if (own === undefined) return original;
  return (call) => own(call as unknown as Call) ?? original(call);
}
