import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import "../../vendor/tfjs-gradients";

// The cpu backend prints a greeting to stderr at first use, and a notebook cell with output on stderr looks like a failed one.
tf.env().set("PROD", true);

/** TensorFlow.js with gradients and chained methods registered. Import it only from here. */
export { tf };

/** The TensorFlow.js packages that are tried, fastest first. */
export type BackendName = "node-gpu" | "node" | "cpu";

/** Whether a backend loaded, and why not. */
export interface BackendAttempt {
  readonly name: BackendName;
  readonly package: string;
  readonly loaded: boolean;
  /** One sentence on why it runs, or why not. */
  readonly reason: string;
}

/** Which tensor backend runs, and what became of the others. */
export interface BackendReport {
  /** The backend that runs. */
  readonly name: BackendName;
  /** What TensorFlow.js calls it: "tensorflow" or "cpu". */
  readonly tfjsName: string;
  readonly tfjsVersion: string;
  /** Every backend that was tried, in order; empty until `loadBackend` has run. */
  readonly attempts: readonly BackendAttempt[];
}

const PACKAGES: readonly { name: BackendName; package: string }[] = [
  { name: "node-gpu", package: "@tensorflow/tfjs-node-gpu" },
  { name: "node", package: "@tensorflow/tfjs-node" },
  { name: "cpu", package: "@tensorflow/tfjs-backend-cpu" },
];

let current: BackendName = "cpu";
let attempts: readonly BackendAttempt[] = [];

/**
 * Chooses the backend: the GPU addon if it is installed and loads, else the native addon, else pure JavaScript.
 *
 * The addons are optional. A missing package, a package without its binary and a binary without its CUDA libraries fail in
 * different ways, so any error means "try the next one" and is kept as the reason.
 *
 * @param o.only tries this backend and no other
 * @param o.importPackage replaces `import()` in tests
 * @throws {Error} if `only` is given and does not load
 */
export async function loadBackend(
  o: { only?: BackendName; importPackage?: (name: string) => Promise<unknown> } = {},
): Promise<BackendReport> {
  const importPackage = o.importPackage ?? ((name: string): Promise<unknown> => import(name));
  const tried: BackendAttempt[] = [];
  for (const candidate of PACKAGES) {
    if (o.only && candidate.name !== o.only) continue;
    const reason = candidate.name === "cpu" ? await useCpu() : await tryAddon(candidate, importPackage);
    tried.push({ ...candidate, loaded: reason.loaded, reason: reason.text });
    if (reason.loaded) {
      current = candidate.name;
      attempts = tried;
      return backendReport();
    }
  }
  throw new Error(
    `Cannot load the backend "${o.only}" as it must load: ${tried[0]?.reason ?? "unknown name"}`,
  );
}

/** Which backend runs, and why the others do not. */
export function backendReport(): BackendReport {
  return { name: current, tfjsName: tf.getBackend(), tfjsVersion: tf.version_core, attempts };
}

interface Outcome {
  readonly loaded: boolean;
  readonly text: string;
}

async function useCpu(): Promise<Outcome> {
  await tf.setBackend("cpu");
  return { loaded: true, text: "pure JavaScript, always present" };
}

async function tryAddon(
  candidate: { name: BackendName; package: string },
  importPackage: (name: string) => Promise<unknown>,
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
    if (candidate.name === "node-gpu" && !usesGpu(addon.backend?.())) {
      await tf.setBackend("cpu");
      return { loaded: false, text: "the addon loaded, but found no GPU that it can use" };
    }
    return { loaded: true, text: "installed, and its native addon loads" };
  } catch (error) {
    await tf.setBackend("cpu");
    const message = error instanceof Error ? error.message : String(error);
    return { loaded: false, text: message.split("\n")[0]!.slice(0, 200) };
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
