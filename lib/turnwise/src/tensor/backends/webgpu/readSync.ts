import { tf } from "../tf";
import type { WebGpuBackend } from "./backend";
import type { MappableBuffer } from "./dawn";
import type { Pump } from "./pump";

/** Of WebGPU's constants: a buffer to copy to and to read. */
const MAP_READ = 1;
const COPY_DST = 8;

/**
 * Gives the backend a `dataSync()` outside of browsers. TensorFlow.js reads at once by drawing on a canvas, which Node has
 * not; here the buffer is mapped as `data()` does it, and Dawn is asked until it is there.
 */
export function addReadSync(backend: WebGpuBackend, pump: Pump): void {
  const original = backend.readSync.bind(backend);
  backend.readSync = (id) => {
    const { values, dtype, resource } = backend.tensorMap.get(id);
    if (values != null || dtype === "string" || dtype === "complex64") return original(id);
    const read = bytesOf(backend, resource, pump);
    return backend.convertAndCacheOnCPU(id, tf.util.convertBackendValuesAndArrayBuffer(read, dtype));
  };
}

function bytesOf(backend: WebGpuBackend, from: MappableBuffer, pump: Pump): ArrayBuffer {
  const staging = backend.bufferManager.acquireBuffer(from.size, COPY_DST | MAP_READ);
  backend.ensureCommandEncoderReady();
  backend.endComputePassEncoder();
  backend.commandEncoder.copyBufferToBuffer(from, 0, staging, 0, from.size);
  backend.submitQueue();
  let failure: unknown;
  staging.mapAsync(MAP_READ).catch((error: unknown) => (failure = error));
  while (staging.mapState === "pending" && pump.poll());
  if (staging.mapState !== "mapped") {
    throw new Error(
      "Cannot read a tensor with dataSync(): the GPU must hand it over at once, but it did not" +
        `${failure instanceof Error ? ` (${failure.message})` : ""}. Try await tensor.data().`,
    );
  }
  const copy = staging.getMappedRange().slice(0);
  staging.unmap();
  backend.bufferManager.releaseBuffer(staging);
  return copy;
}
