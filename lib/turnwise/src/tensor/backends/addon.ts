import { phraseOf, type ImportPackage, type Outcome } from "./attempt";
import { tf } from "./tf";

/** TensorFlow's C library as TensorFlow.js's backend, on the processor or, built for CUDA 11, on a GPU. */
export async function loadAddon(
  candidate: { readonly package: string; readonly needsGpu: boolean },
  importPackage: ImportPackage,
): Promise<Outcome> {
  try {
    await restoreRemovedUtil();
    const module = (await importPackage(candidate.package)) as { turnwiseShim?: boolean; default?: unknown };
    const addon = (module.default ?? module) as { turnwiseShim?: boolean; backend?: () => unknown };
    if (addon.turnwiseShim || module.turnwiseShim) {
      return { loaded: false, text: "only our stand-in for danfojs-node is installed under this name" };
    }
    if (!(await tf.setBackend("tensorflow"))) {
      return { loaded: false, text: "the package loaded, but registered no backend with our TensorFlow.js" };
    }
    if (candidate.needsGpu && !usesGpu(addon.backend?.())) {
      return { loaded: false, text: "the addon loaded, but found no GPU that it can use" };
    }
    return { loaded: true, text: "installed, and its native addon loads" };
  } catch (error) {
    return { loaded: false, text: phraseOf(error) };
  }
}

function usesGpu(backend: unknown): boolean {
  return (backend as { isUsingGpuDevice?: boolean } | undefined)?.isUsingGpuDevice !== false;
}

/** tfjs-node 4.22 calls two functions that Node 23 removed from `util`; the fix upstream was never released. */
async function restoreRemovedUtil(): Promise<void> {
  const { default: util } = (await import("node:util")) as unknown as { default: Record<string, unknown> };
  util["isNullOrUndefined"] ??= (x: unknown): boolean => x === null || x === undefined;
  util["isArray"] ??= Array.isArray;
}
