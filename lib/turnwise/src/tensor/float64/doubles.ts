import { MathBackendCPU } from "@tensorflow/tfjs-backend-cpu";
import type { DataType, TensorInfo } from "@tensorflow/tfjs-core";
import { power } from "../../base/elementary/power";
import { tf } from "../tensorflow/tfjs";
import type { Doubles } from "./kernel";

type BackendValues = Parameters<MathBackendCPU["write"]>[0];

/** TensorFlow.js's JavaScript backend, whose floats are doubles: `float32` is what it calls them all the same. */
export class Float64Backend extends MathBackendCPU implements Doubles {
  override write(values: BackendValues, shape: number[], dtype: DataType): object {
    return super.write(widened(values, dtype), shape, dtype);
  }

  override move(id: object, values: BackendValues, shape: number[], dtype: DataType, refCount: number): void {
    super.move(id, widened(values, dtype), shape, dtype, refCount);
  }

  numbers(of: TensorInfo): ArrayLike<number> {
    return this.data.get(of.dataId).values as unknown as ArrayLike<number>;
  }

  doubles(shape: readonly number[], values: Float64Array): TensorInfo {
    return this.makeTensorInfo([...shape], "float32", values as unknown as Float32Array);
  }
}

/** Constants come as singles: TensorFlow.js has rounded them before a backend sees them. */
function widened(values: BackendValues, dtype: DataType): BackendValues {
  if (dtype !== "float32" || !(values instanceof Float32Array)) return values;
  const doubles = new Float64Array(values.length);
  for (let i = 0; i < doubles.length; i++) doubles[i] = asWritten(values[i]!);
  return doubles as unknown as Float32Array;
}

/** The shortest decimal that rounds to this single: 0.2 for the 0.20000000298 that was made of it. */
function asWritten(single: number): number {
  if (single === Math.trunc(single) && Math.abs(single) < power(2, 24)) return single;
  const short = Number(single.toPrecision(7));
  return Math.fround(short) === single ? short : single;
}

export const makeFloat64Backend = (): Float64Backend => new Float64Backend();

/**
 * With this file, a site has all of TensorFlow.js in a script of its own.
 *
 * @public
 */
export { tf };
