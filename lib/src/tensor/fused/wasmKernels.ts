import { binary, relaxedBinary } from "./binary";
import type { Kernels } from "./kernels";

const PAGE = 65536;

/** As much of WebAssembly as is used here; the library's types know Node's globals only. */
interface Api {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => unknown;
  Instance: new (module: unknown, imports: object) => { readonly exports: unknown };
}

type Exports = Omit<Kernels, "name" | "relaxed" | "buffer" | "base" | "reserve"> & {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  heapBase(): number;
};

const builtIn = (globalThis as { WebAssembly?: Api }).WebAssembly;
let compiled: CompiledKernels | undefined;

/** Makes instances of the compiled kernels, each with a memory of its own. */
interface CompiledKernels {
  (): unknown;
  /** Products are rounded once: the engine has relaxed SIMD. */
  readonly relaxed: boolean;
}

/** The compiled kernels, those with relaxed SIMD where the engine has it; or the reason why this engine cannot. */
export function wasmModule(api: Api | null | undefined = builtIn): CompiledKernels | string {
  if (!api) return "this JavaScript engine has no WebAssembly";
  if (api === builtIn && compiled) return compiled;
  for (const text of [relaxedBinary, binary]) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (!api.validate(bytes)) continue;
    const module = new api.Module(bytes);
    const instance = (): unknown => new api.Instance(module, {}).exports;
    const made = Object.assign(instance, { relaxed: text === relaxedBinary });
    if (api === builtIn) compiled = made;
    return made;
  }
  return "this JavaScript engine has no WebAssembly SIMD";
}

/** The compiled kernels, or the reason in one sentence why this engine cannot run them. */
export function wasmKernels(api: Api | null | undefined = builtIn): Kernels | string {
  const made = wasmModule(api);
  if (typeof made === "string") return made;
  const exports = made() as Exports;
  const { memory } = exports;
  return {
    ...exports,
    name: "wasm",
    relaxed: made.relaxed,
    get buffer() {
      return memory.buffer;
    },
    // Before it lie constants, and room that the kernels need for themselves.
    base: PAGE * Math.ceil(exports.heapBase() / PAGE),
    reserve(total) {
      const missing = Math.ceil(total / PAGE) - memory.buffer.byteLength / PAGE;
      if (missing <= 0) return;
      // A quarter more than asked for, so that a batch that grows slowly does not move the views each time.
      const generous = Math.ceil(missing + total / PAGE / 4);
      if (grows(memory, generous) || grows(memory, missing)) return;
      throw new RangeError(
        `Cannot run the fused network as its memory must hold the batch: current value is ${Math.ceil(total / 2 ** 20)} MB`,
      );
    },
  };
}

function grows(memory: Exports["memory"], pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}
