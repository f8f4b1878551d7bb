import type { Arena } from "./arena";
import type { Operations, Pointer } from "./kernels";

/** Token sequences of different lengths, end to end, without padding. */
export interface Sequences {
  readonly count: number;
  readonly tokens: Int32Array;
  /** [count + 1]: where each sequence begins in `tokens`. */
  readonly start: Int32Array;
  /** [count]: how many of the last places of each sequence are wanted. */
  readonly wanted: Int32Array;
  /** [count]: index of the first token's place in the window. */
  readonly firstPlace: Int32Array;
}

/** A forward pass, which lives in the arena until its next reset. */
export interface FusedPass {
  /** [sum of wanted, width]: the hidden state after each of the wanted places. */
  readonly hidden: Pointer;
  /** Adds d loss / d weights to `gradient`, given d loss / d hidden, which it may overwrite. It can be called again. */
  backward(dHidden: Pointer, gradient: Pointer): void;
}

/** A forward pass that continues token by token without recomputing what came before. */
export interface Decoder {
  /** [count, width]: the hidden state after each whole sequence. */
  readonly hidden: Pointer;
  /**
   * Appends a token to each of the given sequences and returns the hidden states after them, [rows.length, width]. They are
   * those of the call before, or some of them, in the same order.
   */
  append(rows: readonly number[], tokens: readonly number[]): Pointer;
}

/** A causal network whose weights are one flat vector of 32-bit floats. */
export interface FusedNetwork {
  readonly width: number;
  forward(arena: Arena, weights: Pointer, input: Sequences): FusedPass;
  /** @param room how many tokens can be appended to one sequence */
  decode(arena: Arena, weights: Pointer, input: Sequences, room: number): Decoder;
}

/** The offset of the row of each wanted place, in elements, where each token has a row of `width` elements. */
export function wantedRows({ count, start, wanted }: Sequences, width: number): Int32Array {
  const rows = new Int32Array(wanted.reduce((sum, n) => sum + n, 0));
  let cell = 0;
  for (let b = 0; b < count; b++) {
    for (let row = start[b + 1]! - wanted[b]!; row < start[b + 1]!; row++) rows[cell++] = row * width;
  }
  return rows;
}

/** Rows per part: few enough to stay in the first caches from one operation to the next, and a multiple of 4 for products. */
export const PART_ROWS = 64;

/** A range of rows, sequences or columns. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Divides 0 ... count into ranges of `size`, the last of which may be smaller. */
export function ranges(count: number, size: number): Range[] {
  const out: Range[] = [];
  for (let from = 0; from < count; from += size) out.push({ from, to: Math.min(count, from + size) });
  return out;
}

/** W^T for `inputGradient`, where W [from, to] is at the offset `at` (in elements). */
export function transposed(arena: Arena, weights: Pointer, at: number, from: number, to: number): Pointer {
  const out = arena.floats(from * to);
  arena.kernels.transpose(weights + 4 * at, to, out, from, from, to);
  return out;
}

/** Products with a weight matrix, forward and backward. */
export class Dense {
  constructor(
    private readonly operations: Operations,
    private readonly weights: Pointer,
  ) {}

  /** out += x W, where W [from, to] is at the offset `at` (in elements). */
  add(x: Pointer, at: number, out: Pointer, rows: number, from: number, to: number): void {
    this.operations.gemm(x, from, 1, this.weights + 4 * at, to, out, to, rows, to, from);
  }

  /** out = x W + bias, or max(0, ...) of it; both at offsets, and without a bias (undefined) out = x W. */
  forward(
    x: Pointer,
    at: number,
    out: Pointer,
    rows: number,
    from: number,
    to: number,
    bias?: number,
    relu: 0 | 1 = 0,
  ): void {
    const start = bias === undefined ? 0 : this.weights + 4 * bias;
    this.operations.product(x, from, 1, this.weights + 4 * at, to, out, to, rows, to, from, start, relu);
  }

  /** dX += d W^T. */
  addInputGradient(
    d: Pointer,
    transposed: Pointer,
    dX: Pointer,
    rows: number,
    from: number,
    to: number,
  ): void {
    this.operations.gemm(d, to, 1, transposed, from, dX, from, rows, from, to);
  }

  /** dX = d W^T. */
  inputGradient(d: Pointer, transposed: Pointer, dX: Pointer, rows: number, from: number, to: number): void {
    this.operations.product(d, to, 1, transposed, from, dX, from, rows, from, to, 0, 0);
  }
}

type Sum = (operations: Operations) => void;

/** In floats. */
const CACHE_LINE = 16;
/** Columns of a table that are not divided: half of them take eight tenths of the time. */
const TABLE_COLUMNS = 64;

/**
 * Collects sums over rows and computes them in parts, each of which is some columns or rows of a result. Parts write to
 * different places of the gradient, so they can run at the same time, and their number does not change the bits.
 */
export class GradientSums {
  /** By thread, so that each one begins with a part of every sum. */
  readonly #sums: Sum[][];

  constructor(
    private readonly arena: Arena,
    private readonly gradient: Pointer,
    private readonly rows: number,
  ) {
    this.#sums = Array.from({ length: arena.kernels.threads }, () => []);
  }

  /** The gradient of W [from, to] at the offset `at` += x^T d. */
  weight(x: Pointer, d: Pointer, at: number, from: number, to: number): this {
    const out = this.gradient + 4 * at;
    if (from >= to) {
      this.#divide(from, (operations, first, size) =>
        operations.gemm(x + 4 * first, 1, from, d, to, out + 4 * first * to, to, size, to, this.rows),
      );
    } else {
      this.#divide(to, (operations, first, size) =>
        operations.gemm(x, 1, from, d + 4 * first, to, out + 4 * first, to, from, size, this.rows),
      );
    }
    return this;
  }

  /** The gradient at the offset `at` += the sum of the rows of d. */
  bias(d: Pointer, at: number, width: number): this {
    const out = this.gradient + 4 * at;
    this.#divide(width, (operations, first, size) =>
      operations.addRows(out + 4 * first, d + 4 * first, this.rows, size, width),
    );
    return this;
  }

  /** The gradient at the offset `at` += the sum of the rows of d * unit. */
  gain(d: Pointer, unit: Pointer, at: number, width: number): this {
    const out = this.gradient + 4 * at;
    this.#divide(width, (operations, first, size) =>
      operations.addRowProducts(out + 4 * first, d + 4 * first, unit + 4 * first, this.rows, size, width),
    );
    return this;
  }

  /** The gradient of a table at the offset `at` += the rows of d, each at its offset. */
  table(d: Pointer, offsets: Pointer, places: number, at: number, width: number): this {
    const out = this.gradient + 4 * at;
    this.#divide(
      width,
      (operations, first, size) =>
        operations.scatter(out + 4 * first, d + 4 * first, offsets, this.rows, places, size, width),
      TABLE_COLUMNS,
    );
    return this;
  }

  /** Computes all that was asked for. */
  run(work: string): void {
    const sums = this.#sums.flat();
    this.arena.kernels.inParts(work, this.rows, sums.length, (operations, i) => sums[i]!(operations));
  }

  /** Divides a sum into parts of whole cache lines, of at least `least` elements. */
  #divide(
    count: number,
    sum: (operations: Operations, first: number, size: number) => void,
    least = CACHE_LINE,
  ): void {
    const size = Math.max(least, CACHE_LINE * Math.ceil(count / this.#sums.length / CACHE_LINE));
    // From the last thread on: if one part is all of it, the others are ahead with what comes before.
    ranges(count, size).forEach(({ from, to }, i) =>
      this.#sums.at(-1 - i)!.push((operations) => sum(operations, from, to - from)),
    );
  }
}
