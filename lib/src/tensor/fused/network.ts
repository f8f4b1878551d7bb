import type { Arena } from "./arena";
import type { Pointer } from "./kernels";

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

/** A forward pass, in the arena until its next reset. */
export interface FusedPass {
  /** [sum of wanted, width]: the hidden state after each of the wanted places. */
  readonly hidden: Pointer;
  /** Adds d loss / d weights, given d loss / d hidden, which it may overwrite. Can be called again. */
  backward(dHidden: Pointer, gradient: Pointer): void;
}

/** A forward pass that goes on token by token, without computing anew what went before. */
export interface Decoder {
  /** [count, width]: after the whole of each sequence. */
  readonly hidden: Pointer;
  /** Appends a token to each of the given sequences; gives [rows.length, width], the hidden states after them. */
  append(rows: readonly number[], tokens: readonly number[]): Pointer;
}

/** A causal network whose weights are one flat vector of 32-bit floats. */
export interface FusedNetwork {
  readonly width: number;
  forward(arena: Arena, weights: Pointer, input: Sequences): FusedPass;
  /** `room` is how many tokens will be appended at most to one sequence. */
  decode(arena: Arena, weights: Pointer, input: Sequences, room: number): Decoder;
}

/** Index of the row of each wanted place, where rows are all tokens in order; in elements of rows of `width`. */
export function wantedRows({ count, start, wanted }: Sequences, width: number): Int32Array {
  const rows = new Int32Array(wanted.reduce((sum, n) => sum + n, 0));
  let cell = 0;
  for (let b = 0; b < count; b++) {
    for (let row = start[b + 1]! - wanted[b]!; row < start[b + 1]!; row++) rows[cell++] = row * width;
  }
  return rows;
}

/** Layers that several networks use: products with a weight matrix and the way back. */
export class Dense {
  constructor(
    private readonly arena: Arena,
    private readonly weights: Pointer,
  ) {}

  /** out += x W, with W [from, to] at the offset (in elements) `at`. */
  forward(x: Pointer, at: number, out: Pointer, rows: number, from: number, to: number): void {
    this.arena.kernels.gemm(x, from, 1, this.weights + 4 * at, to, out, to, rows, to, from);
  }

  /** gradient of W += x^T d. */
  weightGradient(
    x: Pointer,
    d: Pointer,
    at: number,
    gradient: Pointer,
    rows: number,
    from: number,
    to: number,
  ): void {
    this.arena.kernels.gemm(x, 1, from, d, to, gradient + 4 * at, to, from, to, rows);
  }

  /** W^T, for `inputGradient`. */
  transposed(at: number, from: number, to: number): Pointer {
    const out = this.arena.floats(from * to);
    this.arena.kernels.transpose(this.weights + 4 * at, to, out, from, from, to);
    return out;
  }

  /** dX += d W^T. */
  inputGradient(d: Pointer, transposed: Pointer, dX: Pointer, rows: number, from: number, to: number): void {
    this.arena.kernels.gemm(d, to, 1, transposed, from, dX, from, rows, from, to);
  }
}
