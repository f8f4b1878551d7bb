import type { Operations, Pointer } from "../kernels";

/** A call whose arguments depend on where its numbers lie. */
type Call = (operations: Operations, at: (slot: number) => Pointer) => void;

const SLOT = 4096;
const SLOTS = 12;
export const TRIAL_BYTES = 2 * SLOT * SLOTS;

/** Odd sizes, so that whole vectors and the ends of rows both occur, on numbers of usual size. */
const CALLS: Readonly<Record<string, Call>> = {
  gemm: (k, at) => k.gemm(at(0), 17, 1, at(1), 37, at(2), 37, 23, 37, 17),
  "gemm, transposed": (k, at) => k.gemm(at(0), 1, 23, at(1), 37, at(2), 37, 23, 37, 17),
  product: (k, at) => k.product(at(0), 17, 1, at(1), 37, at(2), 37, 23, 37, 17, at(3), 1),
  transpose: (k, at) => k.transpose(at(0), 19, at(1), 13, 13, 19),
  tanh: (k, at) => k.tanh(at(0), 301),
  timesReluSlope: (k, at) => k.timesReluSlope(at(0), at(1), 301),
  addRows: (k, at) => k.addRows(at(0), at(1), 11, 69, 71),
  addRowProducts: (k, at) => k.addRowProducts(at(0), at(1), at(2), 11, 69, 71),
  gruCell: (k, at) => k.gruCell(at(0), at(1), at(2), at(3), at(4), at(5), 301),
  layerNorm: (k, at) => k.layerNorm(at(0), at(1), at(2), at(3), at(4), 11, 37),
  layerNormBackward: (k, at) => k.layerNormBackward(at(0), at(1), at(2), at(3), at(4), 11, 37),
  draw: (k, at) => k.draw(at(0), at(1), at(2), at(3), at(4), at(5), 11, 37, 0.7),
  attention: (k, at) => k.attention(at(0), at(1), 21, at(2), at(3), at(4), 20, 20, 12, 2),
  attentionBackward: (k, at) =>
    k.attentionBackward(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), 20, 12, 2),
};

/** One number after the other between -2 and 2, the same ones each time. */
function* numbers(): Generator<number> {
  for (let x = 1; ; x = (Math.imul(x, 1664525) + 1013904223) | 0) yield x / 1073741824;
}

/**
 * Whether two sets of operations on one memory give the same bits: undefined if so, else the first operation that differs.
 *
 * @param from where `TRIAL_BYTES` bytes of the memory are free
 */
export function differs(
  memory: ArrayBufferLike,
  from: Pointer,
  one: Operations,
  other: Operations,
): string | undefined {
  const halves = [0, 1].map(
    (i) => new Float32Array(memory, from + (i * TRIAL_BYTES) / 2, (SLOT * SLOTS) / 4),
  );
  for (const [name, call] of Object.entries(CALLS)) {
    const [first, second] = halves.map((half, i) => {
      const given = numbers();
      for (let j = 0; j < half.length; j++) half[j] = given.next().value as number;
      call(i === 0 ? one : other, (slot) => half.byteOffset + SLOT * slot);
      return new Uint32Array(memory, half.byteOffset, half.length);
    }) as [Uint32Array, Uint32Array];
    if (first.some((bits, i) => bits !== second[i])) return name;
  }
  halves.forEach((half) => half.fill(0));
  return undefined;
}
