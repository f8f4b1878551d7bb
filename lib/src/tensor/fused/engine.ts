import { Arena } from "./arena";
import { threadCount } from "./threads/count";
import { plainKernels } from "./plainKernels";
import { wasmKernels } from "./wasmKernels";

/** Which of our own kernels run, and why. */
export interface FusedReport {
  /** Which kernels run. */
  readonly kernels: "native" | "wasm" | "plain";
  /**
   * The kind of compute: within one the bits are the same on every engine, and native kernels have those of the WebAssembly
   * beside them; relaxed kernels depend on the processor too.
   */
  readonly kind: "wasm" | "wasm relaxed" | "plain";
  /** One sentence on why. */
  readonly reason: string;
}

let engine: { readonly arena: Arena; readonly report: FusedReport } | undefined;

/** The only arena of this process, made at first use, with compiled kernels if the engine has WebAssembly SIMD, else plain ones. */
export function fusedArena(): Arena {
  return load().arena;
}

/** Which kernels the fused networks run on, and why. */
export function fusedReport(): FusedReport {
  return load().report;
}

function load(): { readonly arena: Arena; readonly report: FusedReport } {
  if (engine) return engine;
  const threads = threadCount();
  const compiled = wasmKernels(undefined, threads);
  engine =
    typeof compiled === "string"
      ? {
          arena: new Arena(plainKernels()),
          report: { kernels: "plain", kind: "plain", reason: `plain JavaScript, as ${compiled}` },
        }
      : {
          arena: new Arena(compiled),
          report: {
            kernels: compiled.name,
            kind: compiled.relaxed ? "wasm relaxed" : "wasm",
            reason: `on ${threads} ${threads === 1 ? "thread" : "threads"}: ${compiled.reason}`,
          },
        };
  return engine;
}
