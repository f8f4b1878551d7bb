/** One block of weights. */
export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** The standard deviation of the initial weights, or their common value. */
  readonly init: { readonly normal: number } | { readonly constant: number };
}

/** B sequences of P tokens; the network's output is wanted at the last L places. */
export interface NetworkInput {
  readonly batch: number;
  /** P: length of the sequences, which are padded at the front so that they all end at the same place. */
  readonly length: number;
  /** L: how many of the last places are wanted. */
  readonly wanted: number;
  /** [B * P] token ids; -1 is padding. */
  readonly tokens: Int32Array;
  /** Index of the last place in the window. Token l of a turn always has the same place. */
  readonly lastPlace: number;
}

/** A forward pass, with what its backward pass needs. */
export interface Pass {
  /** [B * L, width]: the hidden state after each of the wanted places. */
  readonly hidden: Float64Array;
  /** Adds d loss / d weights to `gradient`, given d loss / d hidden. */
  backward(dHidden: Float64Array, gradient: Float64Array): void;
}

/**
 * A causal network over tokens, in closed form: forward and backward on one flat vector of weights.
 *
 * The output at a place depends neither on later tokens nor on padding.
 */
export interface Network {
  readonly name: string;
  readonly width: number;
  readonly parameters: readonly ParameterSpec[];
  run(weights: Float64Array, input: NetworkInput): Pass;
  /** A forward pass that continues token by token at the cost of one place each; for sampling, so without a backward pass. */
  begin?(weights: Float64Array, input: NetworkInput): Continued;
}

/** Hidden states after the last place, and after one more token in some of the sequences. */
export interface Continued {
  /** [B, width]. */
  readonly hidden: Float64Array;
  /** [rows, width]: after `tokens`, one for each of the sequences `rows`. A sequence that was left out cannot come back. */
  next(rows: readonly number[], tokens: readonly number[]): Float64Array;
}

/** The offset of each block in the flat vector. */
export function offsets(parameters: readonly ParameterSpec[]): (name: string) => number {
  const start = new Map<string, number>();
  let next = 0;
  for (const { name, shape } of parameters) {
    start.set(name, next);
    next += blockSize(shape);
  }
  return (name) => start.get(name)!;
}

export function blockSize(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}
