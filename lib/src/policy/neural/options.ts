export type Compute = "float64" | "wasm";

export interface NeuralOptions {
  readonly kind: "mlp" | "gru" | "transformer";
  readonly seed?: number;
  /** Width of the hidden state. Default 32. */
  readonly width?: number;
  /** Latest tokens in sight, the turn's own included. Default 12 for the MLP, else 64. */
  readonly window?: number;
  /** Of the transformer. Default 1 and 2. */
  readonly layers?: number;
  readonly heads?: number;
  readonly valueHead?: boolean;
  /**
   * What computes it: "float64" in double precision, "wasm" in 32-bit floats by fused kernels, many times faster, or
   * "auto", the faster one for this size by a self-test. Default "float64". Weights and optimiser are 64-bit in any case.
   * The last bits of "wasm" differ between engines with relaxed SIMD (Node 22 and later) and without.
   */
  readonly compute?: Compute | "auto";
}
