import { page } from "../../../base/host/page";
import { phraseOf, type ImportPackage, type Outcome } from "../attempt";
import { tf } from "../tf";
import type { WebGpuBackend } from "../webgpu/backend";
import { mendCast } from "../webgpu/cast";
import { refuseInvalid } from "../webgpu/refuseInvalid";

interface Gpu {
  requestAdapter(): Promise<object | null>;
}

/** Optional packages are those that the page serves. */
export function importPackage(name: string): Promise<unknown> {
  return page().importPackage?.(name) ?? Promise.reject(new RangeError(`the page does not serve ${name}`));
}

/** TensorFlow's C library is no JavaScript. */
export function loadAddon(): Promise<Outcome> {
  return Promise.resolve({ loaded: false, text: "a browser loads no native addon" });
}

/** TensorFlow.js's WebGPU backend on the browser's own WebGPU. */
export async function loadWebGpu(load: ImportPackage): Promise<Outcome> {
  const { navigator } = globalThis as { navigator?: { readonly gpu?: Gpu } };
  if (!navigator?.gpu) return { loaded: false, text: "this browser has no WebGPU here" };
  try {
    if ((await navigator.gpu.requestAdapter()) === null) {
      return { loaded: false, text: "this browser has WebGPU, but found no GPU" };
    }
    // A page fetches TensorFlow.js when it is first used, and the backend registers with it as it loads.
    tf.engine();
    await load("@tensorflow/tfjs-backend-webgpu");
    if (!(await tf.setBackend("webgpu"))) {
      return { loaded: false, text: "the package loaded, but registered no backend with our TensorFlow.js" };
    }
    mendCast();
    refuseInvalid(tf.backend() as unknown as WebGpuBackend);
    return { loaded: true, text: "on the browser's WebGPU" };
  } catch (error) {
    return { loaded: false, text: phraseOf(error) };
  }
}
