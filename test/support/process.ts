import fs from "node:fs";

/** Whether a process runs; one that has ended and was not yet collected by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${String(pid)}/status`, "utf8"));
  } catch {
    return !fs.existsSync("/proc/self/status");
  }
}

/** Waits until the condition holds; throws what was waited for when it does not in time. */
export async function until(what: string, condition: () => boolean, timeoutMs = 30_000): Promise<void> {
  for (const started = Date.now(); Date.now() - started < timeoutMs;) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Waited in vain for ${what} (${String(timeoutMs)} ms)`);
}
