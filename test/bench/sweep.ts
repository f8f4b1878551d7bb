/**
 * How much faster a sweep is over two threads than in one: `node build/test/bench/sweep.js`, after `npm run build`.
 *
 * Rounds of both forms in turn; the ratio of the medians counts, threads' start included.
 */
import { orderTask, sweep } from "turnwise";
import { median } from "./peers/statistics.js";

const ROUNDS = 5;
const JOBS = 16;

async function seconds(workers: number): Promise<number> {
  const started = performance.now();
  await sweep({ task: orderTask, grid: { arm: "reverse", updates: 60 }, seeds: JOBS, workers });
  return (performance.now() - started) / 1000;
}

async function main(): Promise<void> {
  await seconds(0);
  const times: Record<number, number[]> = { 0: [], 1: [], 2: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of [0, 1, 2]) times[workers]!.push(await seconds(workers));
  }
  const [here, one, two] = [0, 1, 2].map((workers) => median(times[workers]!)) as [number, number, number];
  console.log(`${JOBS} jobs, median of ${ROUNDS} rounds: in this thread ${here.toFixed(2)} s,`);
  console.log(`one worker ${one.toFixed(2)} s, two workers ${two.toFixed(2)} s`);
  console.log(`two workers are ${(here / two).toFixed(2)} times as fast as this thread`);
}

void main();
