import type { KernelFunc, TensorInfo } from "@tensorflow/tfjs-core";
import type { Doubles } from "./kernel";

/** Kernels that only move numbers: TensorFlow.js's own moves their places, and the numbers follow. */
export const moves: readonly string[] = [
  "Transpose",
  "Slice",
  "StridedSlice",
  "Tile",
  "GatherV2",
  "GatherNd",
  "Reverse",
  "MirrorPad",
  "Concat",
  "Pack",
  "Unpack",
  "SplitV",
  "PadV2",
];

/** A kernel of TensorFlow.js that moves numbers, made to move doubles. */
export function moving(original: KernelFunc): KernelFunc {
  return ({ inputs, attrs, backend }) => {
    const own = backend as unknown as Doubles;
    const named = inputs as unknown as Readonly<Record<string, TensorInfo>>;
    // Place 0 is what a padding fills in.
    let all: number[] = [(attrs?.["constantValue"] as number | undefined) ?? 0];
    const places: TensorInfo[] = [];
    const swapped = Object.entries(named).map(([name, one]): [string, TensorInfo] => {
      if (one.dtype !== "float32") return [name, one];
      const values = Array.from(own.numbers(one));
      const first = all.length;
      const place = Int32Array.from(values, (_, i) => first + i);
      all = all.concat(values);
      places.push(own.makeTensorInfo(one.shape, "int32", place));
      return [name, places.at(-1)!];
    });
    if (places.length === 0) return original({ inputs, ...(attrs && { attrs }), backend });
    const moved = original({
      inputs: (Array.isArray(inputs)
        ? swapped.map(([, one]) => one)
        : Object.fromEntries(swapped)) as unknown as typeof inputs,
      attrs: { ...attrs, ...(attrs && "constantValue" in attrs && { constantValue: 0 }) },
      backend,
    });
    const filled = (Array.isArray(moved) ? moved : [moved]).map((one) => {
      const result = own.doubles(
        one.shape,
        Float64Array.from(own.numbers(one), (place) => all[place]!),
      );
      own.disposeIntermediateTensorInfo(one);
      return result;
    });
    for (const one of places) own.disposeIntermediateTensorInfo(one);
    return Array.isArray(moved) ? filled : filled[0]!;
  };
}
