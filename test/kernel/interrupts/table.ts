import type { KernelClient } from "turnwise-kernel";
import { quantile } from "../../bench/kernel/measure.js";
import type { Trial } from "./battery.js";
import type { Row } from "./rows.js";

/** What a table is made of. */
export interface Trials {
  readonly rows: readonly Row[];
  /** The numbers of the rows that are tried, from 1. */
  readonly wanted: readonly number[];
  readonly repeat: number;
  /** After a number of trials of a row a new kernel takes the place of the last. */
  readonly fresh?: number;
  start(): Promise<KernelClient>;
  tryRow(kernel: KernelClient, row: Row, afterMs: number): Promise<Trial>;
  /** Asked before each trial. */
  hasEnded(): boolean;
}

/** Tries rows again and again in one kernel, prints how they were stopped as a Markdown table, and gives the number of failures. */
export async function printTable(o: Trials): Promise<number> {
  let kernel = await o.start();
  let failed = 0;
  console.log("| | what the cell does | stopped and healthy | by | median, ms | slowest, ms |");
  console.log("|---|---|---|---|---|---|");
  for (const number of o.wanted) {
    if (o.hasEnded()) break;
    const row = o.rows[number - 1]!;
    const trials: Trial[] = [];
    for (let i = 0; i < o.repeat && !o.hasEnded(); i++) {
      if (i > 0 && i % (o.fresh ?? Infinity) === 0) {
        await kernel.shutdown();
        kernel = await o.start();
      }
      // From at once to well under way, in even steps.
      const trial = await o.tryRow(kernel, row, i % 30);
      trials.push(trial);
      if (trial.faults.length > 0)
        process.stderr.write(`${row.title}, run ${i + 1}: ${trial.faults.join("; ")}\n`);
    }
    failed += trials.filter(({ faults }) => faults.length > 0).length;
    console.log(`| ${number} | ${row.title} | ${summary(trials)} |`);
  }
  await kernel.shutdown();
  return failed;
}

function summary(trials: readonly Trial[]): string {
  const good = trials.filter(({ faults }) => faults.length === 0).length;
  const steps = [...new Set(trials.map(({ step }) => step ?? "nothing"))]
    .map((step) => `${step} ${trials.filter((trial) => (trial.step ?? "nothing") === step).length}`)
    .join(", ");
  const times = trials.map(({ took }) => took);
  const median = quantile(times, 0.5).toFixed(0);
  return `${good} of ${trials.length} | ${steps} | ${median} | ${Math.max(...times).toFixed(0)}`;
}
