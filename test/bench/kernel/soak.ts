import { loadavg } from "node:os";
import { join } from "node:path";
import { startKernel } from "turnwise-kernel";
import { soak } from "../../kernel/soak/run.js";
import { repository } from "../../kernel/with-kernel.js";
import { median } from "../peers/statistics.js";

// Usage: node build/test/bench/kernel/soak.js [cells]
// Runs one long notebook (default 2,000 checked cells with output, display and tensors) and prints its pace and memory.

const cells = Number(process.argv[2] ?? 2_000);

/** Least squares slope of y over x. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (k: 0 | 1): number => points.reduce((sum, point) => sum + point[k], 0) / points.length;
  const [x0, y0] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return over / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

async function main(): Promise<void> {
  const kernel = await startKernel({ cwd: join(repository, "kernel"), startTimeoutMs: 60_000 });
  const step = Math.max(1, Math.floor(cells / 20));
  const { times, memory } = await soak(kernel, { cells, sampleEvery: Math.max(1, Math.floor(step / 2)) });
  await kernel.shutdown();
  console.log(`Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}\n`);
  console.log("| cells | a cell, ms | session, MB | all processes, MB |");
  console.log("|---|---|---|---|");
  for (const part of [0.05, 0.25, 0.5, 0.75, 1]) {
    const end = Math.floor(part * cells);
    const sample = memory.filter((one) => one.cells <= end).at(-1)!;
    const pace = median(times.slice(end - step, end));
    console.log(
      `| ${end} | ${pace.toFixed(0)} | ${sample.session.toFixed(0)} | ${sample.kernel.toFixed(0)} |`,
    );
  }
  const second = memory.filter((one) => one.cells > cells / 2);
  const grow = (of: "session" | "kernel"): string =>
    (1_000 * slope(second.map((one) => [one.cells, one[of]] as const))).toFixed(1);
  console.log(
    `\nSlope over the second half: session ${grow("session")}, all ${grow("kernel")} MB per 1,000 cells`,
  );
}

void main().then(() => process.exit(0));
