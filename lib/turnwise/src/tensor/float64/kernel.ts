import type { TensorInfo } from "@tensorflow/tfjs-core";

/** Functions of the backend that a kernel needs. */
export interface Doubles {
  /** The numbers of a tensor as they are stored. */
  numbers(of: TensorInfo): ArrayLike<number>;
  /** A new tensor of doubles. */
  doubles(shape: readonly number[], values: Float64Array): TensorInfo;
  makeTensorInfo(shape: number[], dtype: "int32", values: Int32Array): TensorInfo;
  disposeIntermediateTensorInfo(info: TensorInfo): void;
}

/** Arguments of a kernel. */
export interface Call {
  readonly inputs: Readonly<Record<string, TensorInfo>>;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly backend: Doubles;
}

/** A kernel in double precision; null where the inputs are of another kind, such as whole numbers. */
export type Kernel = (call: Call) => TensorInfo | null;
