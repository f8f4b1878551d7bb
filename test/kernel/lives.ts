import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as turnwise from "turnwise-kernel";
import type { KernelClient, StartOptions } from "turnwise-kernel";
import { patient } from "../support/patient.js";
import { isRunning, until } from "../support/process.js";
import { repository, resultText } from "./with-kernel.js";

export const cwd = join(repository, "kernel");

// Without type checks a kernel is up at once, and these tests start many.
export const unchecked = { ...process.env, TURNWISE_TYPES: "off" };
export const startKernel = (o: StartOptions): Promise<KernelClient> =>
  turnwise.startKernel({ env: unchecked, startTimeoutMs: patient(30_000), ...o });

/** Waits for the end of processes; how long that takes is for the machine to say. */
export async function gone(...pids: number[]): Promise<void> {
  await until(`the end of ${pids.join(", ")}`, () => !pids.some(isRunning));
}

/** The letter by which the system names a process's state: T for one that is stopped. */
export function stateOf(pid: number): string | undefined {
  return /^\d+ \(.*\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
}

export async function sessionPid(kernel: KernelClient): Promise<number> {
  return Number(resultText(await kernel.execute("process.pid")));
}
