import fs from "node:fs";
import { patient } from "./patient.js";

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

/** Waits until the condition holds; throws what was waited for when it does not in time, which is longer in CI. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const limit = patient(timeoutMs);
  for (const started = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    if (await condition()) return;
    if (Date.now() - started > limit) throw new Error(`Waited in vain for ${what} (${String(limit)} ms)`);
  }
}

function read(pid: number, name: string): string {
  try {
    return fs.readFileSync(`/proc/${String(pid)}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** The name of a process's program, the command line and the environment that it was started with; "" once it is gone. */
export const commandOf = (pid: number): string => read(pid, "comm").trim();
export const argumentsOf = (pid: number): string => read(pid, "cmdline").replaceAll("\0", " ").trim();
export const environmentOf = (pid: number): string => read(pid, "environ");

/** All processes that were started with a variable in their environment, whoever their parent is now. */
export function withMark(mark: string): number[] {
  return fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isRunning(pid) && environmentOf(pid).split("\0").includes(mark));
}
