export type Compute = "float64" | "wasm";

export interface NeuralOptions {
  readonly kind: "mlp" | "gru" | "transformer";
  readonly seed?: number;
  /** Width of the hidden state. Default 32. */
  readonly width?: number;
  /** How many of the latest tokens it sees, including those of the present turn. Default 12 for the MLP, else 64. */
  readonly window?: number;
  /** Of the transformer only. Default 1 layer and 2 heads. */
  readonly layers?: number;
  readonly heads?: number;
  readonly valueHead?: boolean;
  /**
   * How to compute: "float64" is double precision, "wasm" uses fused kernels on 32-bit floats, which are many times faster,
   * and "auto" takes the faster one for this size after a self-test. Default "float64". Weights and optimiser are always
   * 64-bit. The last bits of "wasm" differ between engines with relaxed SIMD (Node 22 and later) and without.
   */
  readonly compute?: Compute | "auto";
}
