import { readFileSync } from "node:fs";
import type { KernelClient } from "turnwise-kernel";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { plain, resultText } from "../with-kernel.js";

/** What a long notebook costs. */
export interface Soak {
  cells: number;
  /** Round trip of each cell in milliseconds. */
  times: number[];
  /**
   * After a number of cells: the resident memory in MB of the process that runs them and of all the kernel's, and the
   * processor time in milliseconds that these have used.
   */
  memory: { cells: number; session: number; kernel: number; processorMs: number }[];
  /** The sum that the cells have added up, and the tensors that are left, as the kernel prints them. */
  total: string | undefined;
  tensors: string | undefined;
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))![1]) / 1024;
  } catch {
    return 0;
  }
}

/** A tick of Linux's clock for processes is 10 ms. */
function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return 10 * (Number(user) + Number(system));
  } catch {
    return 0;
  }
}

/** Runs cells that declare, check, compute with tensors, print and display, until there are enough or time is up. */
export async function soak(
  kernel: KernelClient,
  o: { cells: number; atLeast?: number; budgetMs?: number; sampleEvery: number },
): Promise<Soak> {
  const setup = await kernel.execute(
    "import { tf } from 'turnwise/dist/tensor/backend.js'\nlet total = 0; process.pid",
  );
  const session = Number(resultText(setup));
  const result: Soak = { cells: 0, times: [], memory: [], total: undefined, tensors: undefined };
  const begin = performance.now();
  const inTime = (): boolean => performance.now() - begin < (o.budgetMs ?? Infinity);
  for (; result.cells < o.cells && (result.cells < (o.atLeast ?? 0) || inTime()); result.cells++) {
    const i = result.cells;
    const start = performance.now();
    const ran = await kernel.execute(
      `const row${i} = { step: ${i}, loss: 1 / (${i} + 1) }\nconst t${i} = tf.tidy(() => tf.ones([8, 8]).sum().dataSync()[0]!)\n` +
        `console.log('step', row${i}.step)\ndisplay(md\`loss \${row${i}.loss}\`)\ntotal += t${i}; total`,
    );
    result.times.push(performance.now() - start);
    if (ran.status !== "ok") throw new Error(`cell ${i}: ${plain(ran.error?.traceback)}`);
    if (i > 0 && i % o.sampleEvery === 0) {
      const all = [kernel.pid, ...descendants(kernel.pid)];
      const sum = (of: (pid: number) => number): number => all.map(of).reduce((a, b) => a + b, 0);
      result.memory.push({
        cells: i,
        session: residentMb(session),
        kernel: sum(residentMb),
        processorMs: sum(processorMs),
      });
    }
  }
  result.total = resultText(await kernel.execute("total"));
  result.tensors = resultText(await kernel.execute("tf.memory().numTensors"));
  return result;
}
