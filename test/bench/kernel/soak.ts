import { loadavg } from "node:os";
import { join } from "node:path";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { LongNotebook } from "../../kernel/soak/run.js";
import { repository } from "../../kernel/with-kernel.js";
import { median } from "../peers/statistics.js";
import { endAll } from "./endAll.js";
import { peers, type Peer } from "./peers.js";

// Usage: node build/test/bench/kernel/soak.js [cells]
// Runs one long notebook (default 2,000 cells with output and display, ours checked and with tensors) in this kernel, and cell by
// cell in turns with it in ipykernel and Deno's where they are installed; prints its pace and memory.

const cells = Number(process.argv[2] ?? 2_000);

interface Long {
  readonly peer: Peer;
  readonly kernel: KernelClient;
  readonly notebook: LongNotebook;
  readonly times: number[];
  readonly memory: { cells: number; session: number; kernel: number }[];
}

async function begin(peer: Peer): Promise<Long> {
  const kernel = await startKernel({
    cwd: join(repository, "kernel"),
    startTimeoutMs: 60_000,
    ...(peer.argv && { kernelArgv: peer.argv, transport: "tcp" }),
  });
  const notebook = new LongNotebook(kernel, peer.long);
  await notebook.begin();
  return { peer, kernel, notebook, times: [], memory: [] };
}

/** Least squares slope of y over x. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (k: 0 | 1): number => points.reduce((sum, point) => sum + point[k], 0) / points.length;
  const [x0, y0] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return over / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

async function main(): Promise<void> {
  const step = Math.max(1, Math.floor(cells / 20));
  const every = Math.max(1, Math.floor(step / 2));
  const all: Long[] = [];
  for (const peer of peers(true)) if (peer.argv === undefined || peer.long) all.push(await begin(peer));
  for (let i = 0; i < cells; i++) {
    for (const { notebook, times, memory } of all) {
      times.push(await notebook.run(i));
      if (i > 0 && i % every === 0) memory.push({ cells: i, ...notebook.sample() });
    }
  }
  for (const { kernel } of all) await endAll(kernel);
  print(all, step);
}

function print(all: readonly Long[], step: number): void {
  const name = ({ peer }: Long): string => `${peer.name} ${peer.version}`;
  const title = (one: Long): string =>
    `${name(one)}: a cell, ms | ${one.peer.argv ? "" : "its session, MB | "}all processes, MB`;
  console.log(`Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}\n`);
  console.log(`| cells | ${all.map(title).join(" | ")} |`);
  console.log(`|---|${all.map(({ peer }) => (peer.argv ? "---|---" : "---|---|---")).join("|")}|`);
  for (const part of [0.05, 0.25, 0.5, 0.75, 1]) {
    const end = Math.floor(part * cells);
    const row = all.map(({ peer, times, memory }) => {
      const sample = memory.filter((one) => one.cells <= end).at(-1)!;
      const session = peer.argv ? "" : `${sample.session.toFixed(0)} | `;
      return `${median(times.slice(end - step, end)).toFixed(1)} | ${session}${sample.kernel.toFixed(0)}`;
    });
    console.log(`| ${end} | ${row.join(" | ")} |`);
  }
  for (const one of all) {
    const second = one.memory.filter((sample) => sample.cells > cells / 2);
    const grow = (of: "session" | "kernel"): string =>
      (1_000 * slope(second.map((sample) => [sample.cells, sample[of]] as const))).toFixed(1);
    const session = one.peer.argv ? "" : `session ${grow("session")}, `;
    console.log(
      `\n${name(one)}, slope over the second half: ${session}all ${grow("kernel")} MB per 1,000 cells`,
    );
  }
}

void main().then(() => process.exit(0));
