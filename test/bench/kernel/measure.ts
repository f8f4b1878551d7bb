// Uses internals of turnwise-kernel/process.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { root } from "../../support/paths.js";
import { endAll } from "./endAll.js";
import type { Peer } from "./peers.js";

/** What is measured of one kernel; times in milliseconds. */
export interface Figures {
  firstResult: number;
  roundTrip: number;
  roundTrip95: number;
  completion: number;
  linesTime: number;
  linesDelivered: number;
  displayTime: number;
  interrupt: number;
  /** Memory after some numbers of cells; what comes on top of the first is growth. */
  memory: Partial<Record<number, Memory>>;
  cell10: number;
  cell300: number;
}

/** Memory of a kernel's processes, MB. */
export interface Memory {
  /** What each of them has resident, in a sum: pages that several share count once for each. */
  resident: number;
  /** The same with each shared page divided among those that share it, other programs of this machine included. */
  proportional: number;
}

/** After how many cells memory is read. */
export const memoryAt = [10, 100, 300, 500] as const;

const timeoutMs = 20_000;

/** Measures one kernel from its start to its end. `cells` small cells are run for the slope. */
export async function measure(peer: Peer, cells: number): Promise<Partial<Figures>> {
  const figures: Partial<Figures> = {};
  const begin = performance.now();
  const kernel = await startKernel({
    cwd: root,
    transport: "tcp",
    startTimeoutMs: 60_000,
    ...(peer.argv && { kernelArgv: peer.argv }),
  });
  try {
    await kernel.execute(peer.first, { timeoutMs });
    figures.firstResult = performance.now() - begin;
    await kernel.execute(peer.setup, { timeoutMs });

    const trips = await repeat(30, () => kernel.execute("1+1", { timeoutMs }));
    figures.roundTrip = quantile(trips, 0.5);
    figures.roundTrip95 = quantile(trips, 0.95);
    const completions = await repeat(10, () =>
      kernel.request(
        "shell",
        "complete_request",
        { code: peer.member, cursor_pos: peer.member.length },
        { timeoutMs },
      ),
    );
    figures.completion = quantile(completions.slice(3), 0.5);

    const times: number[] = [];
    for (let i = 0; i < cells; i++) {
      const start = performance.now();
      await kernel.execute(peer.cell(i), { timeoutMs });
      times.push(performance.now() - start);
      if ((memoryAt as readonly number[]).includes(i + 1))
        figures.memory = { ...figures.memory, [i + 1]: memoryOf(kernel.pid) };
    }
    if (cells >= 40) {
      figures.cell10 = quantile(times.slice(5, 15), 0.5);
      figures.cell300 = quantile(times.slice(-10), 0.5);
    }
    figures.displayTime = await time(() => kernel.execute(peer.bigDisplay, { timeoutMs })).catch(() => NaN);
    await lines(kernel, peer, figures);
    // Last: a kernel that mishandles an interrupt would spoil what comes after it.
    await interrupt(kernel, peer, figures);
  } finally {
    await endAll(kernel);
  }
  return figures;
}

async function interrupt(kernel: KernelClient, peer: Peer, figures: Partial<Figures>): Promise<void> {
  const running = kernel.execute(peer.loop, { timeoutMs }).catch(() => undefined);
  await sleep(300);
  const start = performance.now();
  // tslab and ipykernel are interrupted by signal, as their kernelspecs say.
  if (peer.argv) process.kill(kernel.pid, "SIGINT");
  else await kernel.interrupt();
  await running;
  figures.interrupt = performance.now() - start;
}

async function lines(kernel: KernelClient, peer: Peer, figures: Partial<Figures>): Promise<void> {
  let delivered = 0;
  const start = performance.now();
  const ended = await kernel
    .execute(peer.lines, {
      timeoutMs: 10_000,
      onMessage: ({ header, content }) => {
        if (header.msg_type === "stream") delivered += String(content.text).split("\n").length - 1;
      },
    })
    .then(() => true)
    .catch(() => false);
  figures.linesTime = ended ? performance.now() - start : NaN;
  figures.linesDelivered = delivered / 10_000;
}

async function repeat(times: number, act: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < times; i++) taken.push(await time(act));
  return taken;
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** The value below which a share `q` of the numbers lies. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = numbers.filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

/** Memory of a process and its descendants, as the kernel of the operating system counts it. */
function memoryOf(pid: number): Memory {
  const all = [pid, ...descendants(pid)].map((one) => {
    try {
      return readFileSync(`/proc/${one}/smaps_rollup`, "latin1");
    } catch {
      return "";
    }
  });
  const sum = (name: string): number =>
    all.reduce(
      (total, text) => total + Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0),
      0,
    ) / 1024;
  const [resident, proportional] = [sum("Rss"), sum("Pss")];
  // Elsewhere than on Linux there is nothing to read.
  return resident > 0 ? { resident, proportional } : { resident: NaN, proportional: NaN };
}
