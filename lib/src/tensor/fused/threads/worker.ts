import { loadAddon } from "../native/addon";
import { ASLEEP, BUSY, FAILED, isOffered, PLACES, takeParts } from "./control";
import { workerThreads } from "./node";
import { play } from "./tape";
import type { Duty } from "./team";

type Exports = Readonly<Record<string, (...args: number[]) => void>>;
type Instance = new (module: unknown, imports: object) => { readonly exports: unknown };

/** How long to look for parts before going to sleep, in ms: waking a thread costs the first one as much as a small operation. */
const AWAKE = 1;

const { control, tape, names, module: compiled, memory, stack, addon } = workerThreads!.workerData as Duty;
const { Instance } = (globalThis as unknown as { WebAssembly: { Instance: Instance } }).WebAssembly;
const wasm = new Instance(compiled, { env: { memory } }).exports as Exports;
(wasm.__stack_pointer as unknown as { value: number }).value = stack;
/** The first thread has compared their bits. */
const native = addon === undefined ? "none" : loadAddon(addon);
const kernels =
  typeof native === "string"
    ? wasm
    : { ...wasm, ...native.join(new Uint8Array((memory as { buffer: SharedArrayBuffer }).buffer)) };
const operations = names.map((name) => (kernels as Exports)[name]!);

function work(part: number): void {
  play(tape, control[PLACES + 2 * part]!, control[PLACES + 2 * part + 1]!, operations);
}

/** Waits for something to do, at most for `AWAKE`; whether there is something. */
function look(): boolean {
  const end = performance.now() + AWAKE;
  while (performance.now() < end) {
    for (let i = 0; i < 200; i++) if (isOffered(control)) return true;
  }
  return false;
}

for (;;) {
  if (look()) {
    Atomics.add(control, BUSY, 1);
    try {
      takeParts(control, "back", work);
    } catch (error) {
      Atomics.store(control, FAILED, 1);
      throw error;
    } finally {
      Atomics.sub(control, BUSY, 1);
    }
  } else {
    Atomics.store(control, ASLEEP, 1);
    if (!isOffered(control)) Atomics.wait(control, ASLEEP, 1);
  }
}
