import { power } from "../../../base/elementary/power";
import type { Operations, Pointer } from "../kernels";
import { fs } from "../threads/node";
import { loadAddon, wantedAddon, whyMissing, type Addon, type Bound } from "./addon";
import { differs } from "./trial";

/** Native kernels on a memory of WebAssembly. */
export interface Overlay {
  readonly operations: Bound;
  readonly adamOn: Addon["adamOn"];
  /** Such as "x86-64-v4". */
  readonly level: string;
  /** Where another thread finds them. */
  readonly file: string;
  /** To be called when the memory has grown. */
  grew(): void;
}

/** Whether these kernels round a product once with its sum: what is lost of (1 + 2^-12)^2 - (1 + 2^-11) tells. */
export function roundsOnce(operations: Operations, buffer: ArrayBufferLike, at: Pointer): boolean {
  const view = new Float32Array(buffer, at, 2);
  view.set([1 + power(2, -12), -(1 + power(2, -11))]);
  operations.gemm(at, 1, 1, at, 1, at + 4, 1, 1, 1, 1);
  const once = view[1] !== 0;
  view.fill(0);
  return once;
}

let addon: { readonly file: string; readonly loaded: Addon | string } | undefined;

/** The addon that gives the bits of this engine's WebAssembly; one sentence if there is none. */
function present(fused: boolean): { file: string; level: string; addon: Addon } | string {
  const wanted = wantedAddon(fused);
  if (!wanted) return "this platform has none";
  const { file, level } = wanted;
  if (addon?.file !== file) {
    addon = { file, loaded: fs!.existsSync(file) ? loadAddon(file) : whyMissing(wanted) };
  }
  return typeof addon.loaded === "string" ? addon.loaded : { file, level, addon: addon.loaded };
}

/**
 * Native kernels that give the bits of the compiled WebAssembly on the same memory, or one sentence on why there are none.
 *
 * @param at where some of the memory is free
 */
export function overlay(
  wasm: Operations,
  memory: { readonly buffer: SharedArrayBuffer },
  at: Pointer,
): Overlay | string {
  if (!fs) return "a browser has none";
  if (process.env.TURNWISE_NATIVE === "off") return "TURNWISE_NATIVE is off";
  const found = present(roundsOnce(wasm, memory.buffer, at));
  if (typeof found === "string") return found;
  const operations = found.addon.bind(new Uint8Array(memory.buffer));
  const different = differs(memory.buffer, at, wasm, operations);
  if (different) return `${different} has other bits than in WebAssembly`;
  return {
    operations,
    adamOn: (...args) => found.addon.adamOn(...args),
    level: found.level,
    file: found.file,
    grew: () => found.addon.grew(new Uint8Array(memory.buffer)),
  };
}
