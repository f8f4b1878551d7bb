import { phraseOf, type ImportPackage, type Outcome } from "../attempt";
import { tf } from "../tf";
import type { WebGpuBackend } from "./backend";
import { mendCast } from "./cast";
import type { Adapter, Dawn, Gpu } from "./dawn";
import { Pump } from "./pump";
import { addReadSync } from "./readSync";
import { refuseInvalid } from "./refuseInvalid";

const backendPackage = "@tensorflow/tfjs-backend-webgpu";

let report: Outcome | undefined;
/** Kept, as Dawn ends the process when its instance is collected before its devices. */
let instance: Gpu | undefined;

/** TensorFlow.js's WebGPU backend on Dawn: GPUs of any vendor, by Vulkan, Metal or Direct3D. */
export async function loadWebGpu(importPackage: ImportPackage): Promise<Outcome> {
  if (report !== undefined && (await tf.setBackend("webgpu"))) return report;
  try {
    const dawn = (await importPackage("webgpu")) as Dawn;
    const pump = new Pump();
    const adapter = await adapterOf(dawn, pump);
    if (adapter === null) {
      return {
        loaded: false,
        text: "Dawn loaded, but found no GPU: the machine has none, or no Vulkan driver",
      };
    }
    const registered = await withNavigator({ requestAdapter: () => Promise.resolve(adapter) }, async () => {
      await importPackage(backendPackage);
      return tf.setBackend("webgpu");
    });
    if (!registered) {
      return { loaded: false, text: "the package loaded, but registered no backend with our TensorFlow.js" };
    }
    mendCast();
    const backend = tf.backend() as unknown as WebGpuBackend;
    addReadSync(backend, pump);
    refuseInvalid(backend);
    return (report = { loaded: true, text: `on ${nameOf(adapter)}` });
  } catch (error) {
    return { loaded: false, text: phraseOf(error) };
  }
}

function adapterOf({ create, globals }: Dawn, pump: Pump): Promise<Adapter | null> {
  // TensorFlow.js takes its constants from where a browser has them.
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
  pumped(globals.GPUBuffer.prototype, "mapAsync", pump);
  pumped(globals.GPUAdapter.prototype, "requestDevice", pump);
  const gpu = (instance ??= create([]));
  return pump.around(() => gpu.requestAdapter({ powerPreference: "high-performance" }));
}

/** Every call through which Dawn may begin to wait must be one that the pump sees. */
function pumped<K extends string>(owner: Record<K, (o: never) => unknown>, name: K, pump: Pump): void {
  const original = owner[name] as (this: unknown, ...args: unknown[]) => unknown;
  owner[name] = function (this: unknown, ...args: unknown[]): unknown {
    return pump.around(() => original.apply(this, args));
  };
}

/** The backend asks `navigator.gpu` while it is made; before and afterwards a program of Node has none. */
async function withNavigator<X>(gpu: Gpu, body: () => Promise<X>): Promise<X> {
  const own = globalThis as { navigator?: object };
  const before = own.navigator;
  if (before === undefined) {
    const navigator = { gpu, userAgent: `Node.js/${process.versions.node}` };
    Object.defineProperty(own, "navigator", { value: navigator, configurable: true });
  } else {
    Object.defineProperty(before, "gpu", { value: gpu, configurable: true });
  }
  try {
    return await body();
  } finally {
    if (before === undefined) Reflect.deleteProperty(own, "navigator");
    else Reflect.deleteProperty(before, "gpu");
  }
}

function nameOf({ info }: Adapter): string {
  const name = [info?.vendor, info?.description].filter((part) => part).join(" ") || "an unnamed GPU";
  return info?.isFallbackAdapter ? `${name}, which is no GPU but a program that stands for one` : name;
}
