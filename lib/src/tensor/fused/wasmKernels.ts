import { binary } from "./binary";
import type { Kernels } from "./kernels";

const PAGE = 65536;

/** As much of WebAssembly as is used here; the library's types know Node's globals only. */
interface Api {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => unknown;
  Instance: new (module: unknown, imports: object) => { readonly exports: unknown };
}

type Exports = Omit<Kernels, "name" | "buffer" | "base" | "reserve"> & {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
};

const builtIn = (globalThis as { WebAssembly?: Api }).WebAssembly;
let compiled: (() => unknown) | undefined;

/** Makes instances of the compiled kernels, each with a memory of its own; or the reason why this engine cannot. */
export function wasmModule(api: Api | null | undefined = builtIn): (() => unknown) | string {
  if (!api) return "this JavaScript engine has no WebAssembly";
  if (api === builtIn && compiled) return compiled;
  const bytes = Uint8Array.from(atob(binary), (character) => character.charCodeAt(0));
  if (!api.validate(bytes)) return "this JavaScript engine has no WebAssembly SIMD";
  const module = new api.Module(bytes);
  const instance = (): unknown => new api.Instance(module, {}).exports;
  if (api === builtIn) compiled = instance;
  return instance;
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
    get buffer() {
      return memory.buffer;
    },
    // The compiler's constants lie in the first page.
    base: PAGE,
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
