import "#fused/embed";
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
  /** The processor that native kernels are compiled for, such as "x86-64-v4". */
  readonly level?: string;
  /** One sentence on why. */
  readonly reason: string;
}

/** The kernels of a network, as a checkpoint names them. */
export interface UsedKernels {
  /** Such as "native x86-64-v4", "wasm" or "plain". */
  readonly name: string;
  /** Whether they give the bits of WebAssembly without relaxed SIMD, which engines of every kind have. */
  readonly bitsOfWasm: boolean;
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

/** Kernels that the fused networks run on, as a checkpoint names them. */
export function usedKernels({ kernels, kind, level }: FusedReport = fusedReport()): UsedKernels {
  const name = level === undefined ? kind : `${kernels} ${level}`;
  return { name, bitsOfWasm: kind === "wasm" };
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
            ...(compiled.level !== undefined && { level: compiled.level }),
            reason: `on ${threads} ${threads === 1 ? "thread" : "threads"}: ${compiled.reason}`,
          },
        };
  return engine;
}
