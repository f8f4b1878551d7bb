import { setFlagsFromString } from "node:v8";

let done = false;

/**
 * Has V8 compile loops from which a thread can be taken: to be called before threads start, once in a process.
 *
 * In Node 24 and 26, V8 unrolls a loop such as `while (x) list.push(new Array(1000).fill(0))` and leaves out the look at whether
 * it shall end. A thread in it then hears neither that its memory is full nor that the sweep is stopped: its memory grows until
 * the whole process dies. Without the unrolling, as in Node 20 and 22, it hears both.
 */
export function keepLoopsEndable(): void {
  if (done || Number(process.versions.node.split(".")[0]) < 23) return;
  done = true;
  setFlagsFromString("--no-turboshaft-loop-unrolling");
}
