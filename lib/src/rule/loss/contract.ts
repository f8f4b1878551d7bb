import type { tf } from "../../tensor/backend";

/** What a whole loss reads, all [N, T, L] unless the name says otherwise. */
export interface LossInput {
  readonly logProb_ntl: tf.Tensor3D;
  readonly oldLogProb_ntl: tf.Tensor3D;
  readonly advantage_ntl: tf.Tensor3D;
  /** 1 = sampled by the policy, 0 = not. */
  readonly mask_ntl: tf.Tensor3D;
  readonly entropy_ntl: tf.Tensor3D;
  /** Only with a policy that has a value head. */
  readonly value_nt?: tf.Tensor2D;
}

/** A whole loss: what is minimised, as a scalar. */
export type LossFunction = (tensors: typeof tf, x: LossInput) => tf.Tensor;
