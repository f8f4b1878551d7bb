import { power } from "../../base/elementary/power";
import { binary, relaxedBinary } from "./binary";
import type { Kernels, Operations, Part } from "./kernels";
import { Team } from "./threads/team";

const PAGE = 65536;
/** Pages of a new memory and its upper limit, as the binary demands. */
const PAGES = { initial: 4, maximum: 65536 };

/** The part of WebAssembly's API that is used here: the library is compiled with the types of Node's globals only. */
interface Api {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => unknown;
  Instance: new (module: unknown, imports: object) => { readonly exports: unknown };
  Memory: new (pages: { initial: number; maximum: number; shared: boolean }) => Memory;
}

export interface Memory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

interface Exports extends Operations {
  heapBase(): number;
  /** Sets where copies of blocks of large matrices go. */
  packTo(at: number): void;
  readonly PACK_BYTES: { readonly value: number };
}

const builtIn = (globalThis as { WebAssembly?: Api }).WebAssembly;
let compiled: CompiledKernels | undefined;

/** Makes instances of the compiled kernels, each with its own memory. */
interface CompiledKernels {
  (): { readonly exports: unknown; readonly memory: Memory };
  readonly module: unknown;
  /** Whether the engine has relaxed SIMD, so that multiply-add rounds once. */
  readonly relaxed: boolean;
}

/** The compiled kernels, with relaxed SIMD if the engine has it, or the reason why this engine cannot run them. */
export function wasmModule(api: Api | null | undefined = builtIn): CompiledKernels | string {
  if (!api) return "this JavaScript engine has no WebAssembly";
  if (api === builtIn && compiled) return compiled;
  try {
    new api.Memory({ initial: 1, maximum: 1, shared: true });
  } catch {
    return "this JavaScript engine has no memory that threads can share";
  }
  for (const text of [relaxedBinary, binary]) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (!api.validate(bytes)) continue;
    const module = new api.Module(bytes);
    const instance: () => ReturnType<CompiledKernels> = () => {
      const memory = new api.Memory({ ...PAGES, shared: true });
      return { exports: new api.Instance(module, { env: { memory } }).exports, memory };
    };
    const made = Object.assign(instance, { module, relaxed: text === relaxedBinary });
    if (api === builtIn) compiled = made;
    return made;
  }
  return "this JavaScript engine has no WebAssembly SIMD";
}

/**
 * The compiled kernels on several threads, or one sentence on why this engine cannot run them.
 *
 * @param always divide every task, even where it does not pay
 */
export function wasmKernels(
  api: Api | null | undefined = builtIn,
  threads = 1,
  always = false,
): Kernels | string {
  const made = wasmModule(api);
  if (typeof made === "string") return made;
  const { exports, memory } = made() as { exports: Exports; memory: Memory };
  const packBytes = exports.PACK_BYTES.value;
  // Constants and the kernels' own scratch space come first.
  const packAt = Array.from(
    { length: threads - 1 },
    (_, i) => roundUp(exports.heapBase(), 64) + i * packBytes,
  );
  const base = roundUp(exports.heapBase() + 64 + packAt.length * packBytes, PAGE);
  reserve(memory, base);
  const team =
    threads > 1
      ? new Team(exports, { names: operationsOf(exports), module: made.module, memory, packAt, always })
      : undefined;
  const oneByOne = (parts: number, part: Part): void => {
    for (let i = 0; i < parts; i++) part(exports, i);
  };
  return {
    ...exports,
    name: "wasm",
    relaxed: made.relaxed,
    threads,
    get buffer() {
      return memory.buffer;
    },
    base,
    reserve: (total) => reserve(memory, total),
    inParts(work, size, parts, part) {
      if (team) team.inParts(work, size, parts, part);
      else oneByOne(parts, part);
    },
    settle: () => team?.settle(),
  };
}

function operationsOf(exports: Exports): (keyof Operations)[] {
  const others: readonly string[] = ["adam", "heapBase", "packTo", "PACK_BYTES", "memory"];
  return Object.keys(exports).filter((name) => !others.includes(name)) as (keyof Operations)[];
}

function roundUp(bytes: number, unit: number): number {
  return unit * Math.ceil(bytes / unit);
}

function reserve(memory: Memory, total: number): void {
  const missing = Math.ceil(total / PAGE) - memory.buffer.byteLength / PAGE;
  if (missing <= 0) return;
  // A quarter more than needed, so that slowly growing batches do not invalidate the views each time.
  const generous = Math.ceil(missing + total / PAGE / 4);
  if (grows(memory, generous) || grows(memory, missing)) return;
  throw new RangeError(
    `Cannot run the fused network as its memory must hold the batch: current value is ${Math.ceil(total / power(2, 20))} MB`,
  );
}

function grows(memory: Memory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}
