import type { tf } from "../tf";
import type { MappableBuffer } from "./dawn";

/** Parts of the internals of TensorFlow.js's WebGPU backend, version 4.22.0, that we use. */
export interface WebGpuBackend {
  readonly tensorMap: {
    get(id: object): {
      readonly values: unknown;
      readonly dtype: tf.DataType;
      readonly resource: MappableBuffer;
    };
  };
  readonly bufferManager: {
    acquireBuffer(size: number, usage: number): MappableBuffer;
    releaseBuffer(buffer: MappableBuffer): void;
  };
  readonly commandEncoder: {
    copyBufferToBuffer(
      from: MappableBuffer,
      at: number,
      to: MappableBuffer,
      toAt: number,
      size: number,
    ): void;
  };
  ensureCommandEncoderReady(): void;
  endComputePassEncoder(): void;
  submitQueue(): void;
  convertAndCacheOnCPU(id: object, values: unknown): unknown;
  disposeData(id: object): boolean;
  readSync(id: object): unknown;
  read(id: object): Promise<unknown>;
  readonly device: {
    addEventListener(name: "uncapturederror", told: (event: { error: { message: string } }) => void): void;
  };
}
