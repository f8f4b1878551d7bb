import { tf } from "../tf";
import type { WebGpuBackend } from "./backend";

interface KernelArguments {
  readonly inputs: { readonly x: tf.TensorInfo };
  readonly backend: object;
  readonly attrs?: object;
}

type Kernel = (args: KernelArguments) => tf.TensorInfo;

/**
 * Makes a cast to float32 convert. TensorFlow.js's WebGPU backend relabels whole numbers and booleans where they are, and some
 * of its shaders, such as the one that transposes, do not compile for what they get then, so that the result is left zero.
 */
export function mendCast(): void {
  const config = tf.getKernel("Cast", "webgpu");
  const relabel = config.kernelFunc as unknown as Kernel;
  // The floor of a whole number is that number, in floats of its own.
  const convert = tf.getKernel("Floor", "webgpu").kernelFunc as unknown as Kernel;
  const kernelFunc: Kernel = (args) => {
    const out = relabel(args);
    const backend = args.backend as WebGpuBackend;
    if (out.dtype !== "float32" || backend.tensorMap.get(out.dataId).dtype === "float32") return out;
    const floats = convert({ inputs: { x: out }, backend });
    backend.disposeData(out.dataId);
    return floats;
  };
  tf.unregisterKernel("Cast", "webgpu");
  tf.registerKernel({ ...config, kernelFunc: kernelFunc as unknown as typeof config.kernelFunc });
}
