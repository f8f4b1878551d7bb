import { wasmModule, type Exports } from "../wasmKernels";
import { overlay, type Overlay } from "./overlay";
import { TRIAL_BYTES } from "./trial";

/** The native kernels that work on JavaScript's own arrays, where these are. */
type ArrayKernels = Pick<Overlay, "adamOn" | "squaresOf" | "surrogateOn" | "tableGradientOn">;

let found: ArrayKernels | null | undefined;

/** Null where there are none; they are tried once. */
export function arrayKernels(): ArrayKernels | null {
  if (found !== undefined) return found;
  const instance = wasmModule();
  if (typeof instance === "string") return (found = null);
  const { exports: kernels, memory } = instance();
  memory.grow(Math.ceil(TRIAL_BYTES / PAGE));
  const native = overlay(kernels, memory, pageAfter(kernels));
  return (found = typeof native === "string" ? null : native);
}

/** The unit in which the memory of WebAssembly grows, in bytes. */
export const PAGE = 65536;

/** The first page that the kernels leave to their caller. */
export function pageAfter({ __heap_base: base }: Pick<Exports, "__heap_base">): number {
  return PAGE * Math.ceil(base.value / PAGE);
}
