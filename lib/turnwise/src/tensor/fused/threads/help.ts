import { ASLEEP, BUSY, FAILED, isOffered, PLACES, takeParts } from "./control";
import type { Duty } from "./helpers/helper";
import { play } from "./tape";

type Exports = Readonly<Record<string, (...args: number[]) => void>>;
type Instance = new (module: unknown, imports: object) => { readonly exports: unknown };

/** Time to look for parts before going to sleep, in ms: waking a thread costs the first one as much as a small operation. */
const AWAKE = 1;

/** Does parts of tasks until its thread is ended. */
export function help({ control, tape, names, module: compiled, memory, stack }: Duty): never {
  const { Instance } = (globalThis as unknown as { WebAssembly: { Instance: Instance } }).WebAssembly;
  const wasm = new Instance(compiled, { env: { memory } }).exports as Exports;
  (wasm.__stack_pointer as unknown as { value: number }).value = stack;
  const operations = names.map((name) => wasm[name]!);
  const work = (part: number): void =>
    play(tape, control[PLACES + 2 * part]!, control[PLACES + 2 * part + 1]!, operations);
  for (;;) {
    if (look(control)) {
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
}

/** Waits for something to do, at most for `AWAKE`; whether there is something. */
function look(control: Int32Array): boolean {
  const end = performance.now() + AWAKE;
  while (performance.now() < end) {
    for (let i = 0; i < 200; i++) if (isOffered(control)) return true;
  }
  return false;
}
