import { binary, relaxedBinary } from "#fused/binary";
import { kernelsRound, page } from "../../base/host/page";
import { power } from "../../base/elementary/power";
import type { Kernels, Operations, Pointer, Threads } from "./kernels";
import { overlay } from "./native/overlay";
import { TRIAL_BYTES } from "./native/trial";
import { Pool } from "./threads/pool";
import { Team } from "./threads/team";

const PAGE = 65536;
/** Pages of a new memory and its upper limit, as the binary demands. */
const PAGES = { initial: 8, maximum: 65536 };
/** The stack of a thread, as large as the first one's. */
const STACK = 262144;

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

/** Exports of the compiled kernels. */
export interface Exports extends Operations {
  adam(x: Pointer, gradient: Pointer, mean: Pointer, square: Pointer, count: number, ...step: number[]): void;
  surrogate(...addressesThenNumbers: number[]): void;
  tableGradient(...addressesThenNumbers: number[]): void;
  /** Adds the squares of numbers to the total at an address. */
  squares(x: Pointer, total: Pointer, count: number): void;
  /** Start of the memory that the caller manages. */
  readonly __heap_base: { readonly value: number };
  /** The end of this thread's stack, on which copies of blocks of large matrices are made. */
  readonly __stack_pointer: { value: number };
}

const builtIn = (globalThis as { WebAssembly?: Api }).WebAssembly;
let compiled: CompiledKernels | undefined;

/** Makes instances of the compiled kernels, each with its own memory. */
interface CompiledKernels {
  (): { readonly exports: Exports; readonly memory: Memory };
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
  if (page().kernels === undefined && binary.length === 0) return "this bundle holds no compiled kernels";
  for (const relaxed of page().relaxed === false ? [false] : [true, false]) {
    const bytes = page().kernels?.(relaxed) ?? decoded(relaxed ? relaxedBinary : binary);
    if (!api.validate(bytes)) continue;
    const module = new api.Module(bytes);
    const instance: () => ReturnType<CompiledKernels> = () => {
      const memory = new api.Memory({ ...PAGES, shared: true });
      return { exports: new api.Instance(module, { env: { memory } }).exports as Exports, memory };
    };
    const made = Object.assign(instance, { module, relaxed });
    if (api === builtIn) {
      compiled = made;
      kernelsRound(relaxed);
    }
    return made;
  }
  return "this JavaScript engine has no WebAssembly SIMD";
}

function decoded(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
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
  const { exports, memory } = made();
  const heap = roundUp(exports.__heap_base.value, 64);
  // The ends of the other threads' stacks, which grow downwards.
  const stacks = Array.from({ length: threads - 1 }, (_, i) => heap + (i + 1) * STACK);
  const base = roundUp(heap + stacks.length * STACK, PAGE);
  reserve(memory, base + TRIAL_BYTES);
  const native =
    api === builtIn ? overlay(exports, memory, base) : "this is not the engine's own WebAssembly";
  const overlaid = typeof native === "string" ? undefined : native;
  const operations = { ...exports, ...overlaid?.operations };
  const tasks: Threads = overlaid
    ? new Pool(overlaid.operations, { helpers: threads - 1, always })
    : threads > 1
      ? new Team(operations, { names: operationsOf(exports), module: made.module, memory, stacks, always })
      : oneByOne(operations);
  return {
    ...operations,
    name: overlaid ? "native" : "wasm",
    ...(overlaid && { level: overlaid.level }),
    reason: overlaid
      ? `compiled C for ${overlaid.level}${overlaid.from === undefined ? "" : ` from the package ${overlaid.from}`}, with the bits of WebAssembly${made.relaxed ? " with relaxed SIMD" : ""}`
      : `compiled WebAssembly with 128-bit SIMD${made.relaxed ? ", relaxed" : ""}; no native kernels, as ${native as string}`,
    relaxed: made.relaxed,
    threads,
    get buffer() {
      return memory.buffer;
    },
    base,
    reserve(total) {
      if (reserve(memory, total)) overlaid?.grew();
    },
    inParts: (...task) => tasks.inParts(...task),
    settle: () => tasks.settle(),
  };
}

function oneByOne(operations: Operations): Threads {
  return {
    inParts(_work, _size, parts, part) {
      for (let i = 0; i < parts; i++) part(operations, i);
    },
    settle: () => undefined,
  };
}

function operationsOf(exports: Exports): (keyof Operations)[] {
  const others: readonly string[] = [
    "adam",
    "squares",
    "surrogate",
    "tableGradient",
    "__heap_base",
    "__stack_pointer",
  ];
  return Object.keys(exports).filter((name) => !others.includes(name)) as (keyof Operations)[];
}

function roundUp(bytes: number, unit: number): number {
  return unit * Math.ceil(bytes / unit);
}

/** Whether the memory had to grow. */
function reserve(memory: Memory, total: number): boolean {
  const missing = Math.ceil(total / PAGE) - memory.buffer.byteLength / PAGE;
  if (missing <= 0) return false;
  // A quarter more than needed, so that slowly growing batches do not invalidate the views each time.
  const generous = Math.ceil(missing + total / PAGE / 4);
  if (grows(memory, generous) || grows(memory, missing)) return true;
  throw new RangeError(
    `Cannot run the fused network: its memory must hold the batch, got ${Math.ceil(total / power(2, 20))} MB.`,
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
