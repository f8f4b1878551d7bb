/**
 * How much faster a sweep is over two threads than in one: `node build/test/bench/sweep.js`, after `npm run build`.
 *
 * Rounds of both forms in turn; the ratio of the medians counts, threads' start included. On a machine whose cores
 * others use as well, the processor time tells what two free cores would give: the work is shared, and what the
 * threads add to it is lost.
 */
import { parseArgs } from "node:util";
import { orderTask, sweep } from "turnwise";
import { median, processorTime } from "./peers/statistics.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    jobs: { type: "string", default: "16" },
    updates: { type: "string", default: "240" },
  },
});
const ROUNDS = Number(values.rounds);
const JOBS = Number(values.jobs);

interface Took {
  readonly wall: number;
  readonly processor: number;
}

async function seconds(workers: number): Promise<Took> {
  const worked = processorTime();
  const started = performance.now();
  await sweep({
    task: orderTask,
    grid: { arm: "reverse", updates: Number(values.updates) },
    seeds: JOBS,
    workers,
  });
  return { wall: (performance.now() - started) / 1000, processor: (processorTime() - worked) / 1000 };
}

async function main(): Promise<void> {
  await seconds(0);
  const times: Record<number, Took[]> = { 0: [], 1: [], 2: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of [0, 1, 2]) times[workers]!.push(await seconds(workers));
  }
  const of = (workers: number, which: keyof Took): number =>
    median(times[workers]!.map((took) => took[which]));
  console.log(`${JOBS} jobs, medians of ${ROUNDS} rounds:`);
  for (const workers of [0, 1, 2]) {
    const name = ["in this thread", "one worker", "two workers"][workers]!;
    console.log(
      `${name}: ${of(workers, "wall").toFixed(2)} s, processor ${of(workers, "processor").toFixed(2)} s`,
    );
  }
  console.log(`two workers are ${(of(0, "wall") / of(2, "wall")).toFixed(2)} times as fast as this thread;`);
  const most = (2 * of(0, "processor")) / of(2, "processor");
  console.log(`on two cores of their own at most ${most.toFixed(2)} times, by processor time`);
}

void main();
