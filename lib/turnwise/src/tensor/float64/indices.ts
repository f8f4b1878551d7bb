import { tf } from "../backend";

/** Position of each cell of a row-major block of `shape` in another block with the given strides; a stride of 0 repeats. */
export function places(shape: readonly number[], strides: readonly number[]): Int32Array {
  const key = `${shape.join()}|${strides.join()}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = placesOf(shape, strides);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, made);
  return made;
}

/** A loss asks for the same few again and again. */
const known = new Map<string, Int32Array>();
const MOST_KNOWN = 256;

function placesOf(shape: readonly number[], strides: readonly number[]): Int32Array {
  let result = Int32Array.of(0);
  for (const [axis, length] of shape.entries()) {
    const longer = new Int32Array(result.length * length);
    for (let i = 0; i < result.length; i++) {
      for (let k = 0; k < length; k++) longer[i * length + k] = result[i]! + k * strides[axis]!;
    }
    result = longer;
  }
  return result;
}

/** The strides of a row-major block. */
export function stridesOf(shape: readonly number[]): number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const length of [...shape].reverse()) {
    strides.unshift(stride);
    stride *= length;
  }
  return strides;
}

/** The strides with which a block of `shape` is read as one of the shape `to`, as NumPy broadcasts. */
export function broadcastStrides(shape: readonly number[], to: readonly number[]): number[] {
  const own = stridesOf(shape);
  const missing = to.length - shape.length;
  return to.map((_, axis) => (axis < missing || shape[axis - missing] === 1 ? 0 : own[axis - missing]!));
}

/** Shape after a reduction over some axes: without them, and the strides that lead from a cell to its sum. */
export function reduction(
  shape: readonly number[],
  axis: number | number[] | undefined,
): {
  readonly kept: number[];
  readonly withOnes: number[];
  readonly strides: number[];
  readonly count: number;
} {
  const axes = new Set(tf.util.parseAxisParam(axis as number[], [...shape]));
  const kept = shape.filter((_, a) => !axes.has(a));
  const own = stridesOf(kept);
  let next = 0;
  const strides = shape.map((_, a) => (axes.has(a) ? 0 : own[next++]!));
  const withOnes = shape.map((length, a) => (axes.has(a) ? 1 : length));
  const count = [...axes].reduce((product, a) => product * shape[a]!, 1);
  return { kept, withOnes, strides, count };
}
