import { power } from "../../../base/elementary/power";
import type { Operations, Pointer } from "../kernels";
import { fs } from "../threads/node";
import { loadAddon, wantedAddon, whyMissing, type Addon, type Bound } from "./addon";
import { packagedAddon } from "./packaged";
import { processorLevel, processorLevels, wantedLevel } from "./processor";
import { differs } from "./trial";

/** Native kernels on a memory of WebAssembly. */
export interface Overlay {
  readonly operations: Bound;
  readonly adamOn: Addon["adamOn"];
  readonly squaresOf: Addon["squaresOf"];
  readonly surrogateOn: Addon["surrogateOn"];
  readonly tableGradientOn: Addon["tableGradientOn"];
  /** Such as "x86-64-v4". */
  readonly level: string;
  /** The package that brought them; undefined where they were compiled on this machine. */
  readonly from: string | undefined;
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
function present(fused: boolean): { level: string; from: string | undefined; addon: Addon } | string {
  const wanted = wantedAddon(fused);
  if (!wanted) return "this platform has none";
  // What was compiled here is newer: a package that loads and passes its trial leaves nothing to compile.
  const packaged = fs!.existsSync(wanted.file) ? undefined : packagedAddon(wanted.file);
  const file = packaged?.file ?? wanted.file;
  if (addon?.file !== file) {
    addon = { file, loaded: fs!.existsSync(file) ? loadAddon(file) : whyMissing(wanted) };
  }
  if (typeof addon.loaded !== "string") {
    return { level: wanted.level, from: packaged?.name, addon: addon.loaded };
  }
  return packaged?.file === undefined ? addon.loaded : `of the package ${packaged.name}, ${addon.loaded}`;
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
  if (processorLevel() && !wantedLevel()) {
    return `TURNWISE_NATIVE must be off or a level of this processor (${processorLevels().join(", ")}), and is ${process.env.TURNWISE_NATIVE}`;
  }
  const found = present(roundsOnce(wasm, memory.buffer, at));
  if (typeof found === "string") return found;
  const operations = found.addon.bind(new Uint8Array(memory.buffer));
  const different = differs(memory.buffer, at, wasm, operations);
  if (different) return `${different} has other bits than in WebAssembly`;
  return {
    operations,
    adamOn: (...args) => found.addon.adamOn(...args),
    squaresOf: (values) => found.addon.squaresOf(values),
    surrogateOn: (...args) => found.addon.surrogateOn(...args),
    tableGradientOn: (...args) => found.addon.tableGradientOn(...args),
    level: found.level,
    from: found.from,
    grew: () => operations.grew(new Uint8Array(memory.buffer)),
  };
}
