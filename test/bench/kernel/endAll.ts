// Uses internals of turnwise-kernel/process.
import { descendants } from "turnwise-kernel/dist/process/descendants.js";

/**
 * Ends a kernel and what it has started: one that a script starts, as npm's Deno is, would leave the program itself behind.
 */
export async function endAll(kernel: { readonly pid: number; kill(): Promise<void> }): Promise<void> {
  const started = descendants(kernel.pid);
  await kernel.kill();
  for (const pid of started) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}
