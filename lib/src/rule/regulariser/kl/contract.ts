import type { tf } from "../../../tensor/backend";

/** What a file of this folder says of an estimate of KL(pi || pi_other), with d = log pi_other - log pi of a sampled token, in nats. */
export interface Estimator {
  /** LaTeX, without delimiters. */
  readonly equation: string;
  /** A paper or repository that a reader can open. */
  readonly source: string;
  readonly value: (d: number) => number;
  /** Derivative of the value in log pi. */
  readonly slope: (d: number) => number;
  readonly tensor: (d: tf.Tensor) => tf.Tensor;
}
