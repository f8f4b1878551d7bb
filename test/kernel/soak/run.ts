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

/** The processor time that a process has used, in steps of 10 ms, which is a tick of Linux's clock for processes. */
export function processorMs(pid: number): number {
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

/** The cells of a long notebook in a kernel's language: they declare, compute, print and display. */
export interface LongWork {
  /** Ends with the id of the process that runs the cells, where that is known. */
  setup: string;
  cell(i: number): string;
}

/** With tensors of TensorFlow.js; each cell adds the sum of a matrix of 8 x 8 ones. */
const ownWork: LongWork = {
  setup: "import { tf } from 'turnwise/internal/tensor/backend'\nlet total = 0; process.pid",
  cell: (i) =>
    `const row${i} = { step: ${i}, loss: 1 / (${i} + 1) }\nconst t${i} = tf.tidy(() => tf.ones([8, 8]).sum().dataSync()[0]!)\n` +
    `console.log('step', row${i}.step)\ndisplay(md\`loss \${row${i}.loss}\`)\ntotal += t${i}; total`,
};

/** A notebook whose cells are run one by one. */
export class LongNotebook {
  private session = NaN;

  constructor(
    private readonly kernel: KernelClient,
    private readonly work: LongWork = ownWork,
  ) {}

  async begin(): Promise<void> {
    this.session = Number(resultText(await this.kernel.execute(this.work.setup)));
  }

  /** Runs a cell; its round trip in milliseconds. */
  async run(i: number): Promise<number> {
    const start = performance.now();
    const ran = await this.kernel.execute(this.work.cell(i));
    const took = performance.now() - start;
    if (ran.status !== "ok") throw new Error(`cell ${i}: ${plain(ran.error?.traceback)}`);
    return took;
  }

  sample(): Omit<Soak["memory"][number], "cells"> {
    const all = [this.kernel.pid, ...descendants(this.kernel.pid)];
    const sum = (of: (pid: number) => number): number => all.map(of).reduce((a, b) => a + b, 0);
    return { session: residentMb(this.session), kernel: sum(residentMb), processorMs: sum(processorMs) };
  }
}

/** Runs cells that declare, check, compute with tensors, print and display, until there are enough or time is up. */
export async function soak(
  kernel: KernelClient,
  o: { cells: number; atLeast?: number; budgetMs?: number; sampleEvery: number },
): Promise<Soak> {
  const notebook = new LongNotebook(kernel);
  await notebook.begin();
  const result: Soak = { cells: 0, times: [], memory: [], total: undefined, tensors: undefined };
  const begin = performance.now();
  const inTime = (): boolean => performance.now() - begin < (o.budgetMs ?? Infinity);
  for (; result.cells < o.cells && (result.cells < (o.atLeast ?? 0) || inTime()); result.cells++) {
    const i = result.cells;
    result.times.push(await notebook.run(i));
    if (i > 0 && i % o.sampleEvery === 0) result.memory.push({ cells: i, ...notebook.sample() });
  }
  result.total = resultText(await kernel.execute("total"));
  result.tensors = resultText(await kernel.execute("tf.memory().numTensors"));
  return result;
}
