import { tf } from "../backend";
import { places, reduction } from "./indices";
import type { Kernel } from "./kernel";

const reductions: Readonly<Record<string, { from: number; with: (sum: number, x: number) => number }>> = {
  Sum: { from: 0, with: (sum, x) => sum + x },
  Mean: { from: 0, with: (sum, x) => sum + x },
  Prod: { from: 1, with: (product, x) => product * x },
  Max: { from: -Infinity, with: (most, x) => (Number.isNaN(x) || x > most ? x : most) },
  Min: { from: Infinity, with: (least, x) => (Number.isNaN(x) || x < least ? x : least) },
};

function reducing(name: string): Kernel {
  const { from, with: join } = reductions[name]!;
  return ({ inputs, attrs, backend }) => {
    const x = inputs["x"]!;
    if (x.dtype !== "float32") return null;
    const given = attrs["axis"] ?? attrs["reductionIndices"];
    const { kept, withOnes, strides, count } = reduction(x.shape, given as number[]);
    const values = backend.numbers(x);
    const to = new Float64Array(tf.util.sizeFromShape(kept)).fill(from);
    if (to.length === 1) {
      let all = from;
      for (let i = 0; i < count; i++) all = join(all, values[i]!);
      to[0] = all;
    } else {
      const place = places(x.shape, strides);
      for (let i = 0; i < values.length; i++) to[place[i]!] = join(to[place[i]!]!, values[i]!);
    }
    if (name === "Mean") for (let i = 0; i < to.length; i++) to[i]! /= count;
    return backend.doubles(attrs["keepDims"] === true ? withOnes : kept, to);
  };
}

function cumulating(from: number, join: (sum: number, x: number) => number): Kernel {
  return ({ inputs, attrs, backend }) => {
    const x = inputs["x"]!;
    if (x.dtype !== "float32") return null;
    const axis = tf.util.parseAxisParam(attrs["axis"] as number, x.shape)[0]!;
    const length = x.shape[axis]!;
    const inner = tf.util.sizeFromShape(x.shape.slice(axis + 1));
    const values = backend.numbers(x);
    const to = new Float64Array(values.length);
    for (let first = 0; first < to.length; first += 1) {
      if (Math.floor(first / inner) % length !== 0) continue;
      let sum = from;
      for (let k = 0; k < length; k++) {
        const i = first + (attrs["reverse"] === true ? length - 1 - k : k) * inner;
        const after = join(sum, values[i]!);
        to[i] = attrs["exclusive"] === true ? sum : after;
        sum = after;
      }
    }
    return backend.doubles(x.shape, to);
  };
}

/** Sums and their like, over some axes or running along one. */
export const reductionKernels: Readonly<Record<string, Kernel>> = {
  ...Object.fromEntries(Object.keys(reductions).map((name) => [name, reducing(name)])),
  Cumsum: cumulating(0, (sum, x) => sum + x),
  Cumprod: cumulating(1, (product, x) => product * x),
};
