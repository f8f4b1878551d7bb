/**
 * How much faster a sweep is over two threads than in one: `node build/test/bench/sweep.js`, after `npm run build`.
 *
 * Each form runs in a process of its own, in turns, and its time is that of the whole process. Two plain processes that
 * share the jobs and know nothing of each other show what the machine can give at all. "Again" is the second of two equal
 * sweeps of one process, as in a notebook.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { sweep } from "turnwise";
import { orderTask } from "turnwise-course/update-order-ablation";
import { median, processorTime } from "./peers/statistics.js";
import { record } from "./record.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    jobs: { type: "string", default: "16" },
    updates: { type: "string", default: "240" },
    again: { type: "boolean", default: false },
    workers: { type: "string" },
    shard: { type: "string" },
  },
});
const jobs = Number(values.jobs);

interface Took {
  /** Seconds by the clock. */
  readonly wall: number;
  /** Seconds of processors, of all threads. */
  readonly processor: number;
}

async function sweepHere(): Promise<Took> {
  const worked = processorTime();
  const started = performance.now();
  await sweep({
    task: orderTask,
    grid: { arm: "reverse", updates: Number(values.updates) },
    seeds: jobs,
    workers: Number(values.workers),
    ...(values.shard === undefined ? {} : { shard: values.shard }),
  });
  return { wall: (performance.now() - started) / 1000, processor: (processorTime() - worked) / 1000 };
}

async function child(): Promise<void> {
  if (values.again) await sweepHere();
  const took = await sweepHere();
  console.log(JSON.stringify(values.again ? took : { ...took, processor: processorTime() / 1000 }));
}

/** Starts this file again with these flags; gives what it tells. */
async function started(...flags: readonly string[]): Promise<Took> {
  const args = [__filename, "--jobs", values.jobs, "--updates", values.updates, ...flags];
  const { stdout } = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(await text(stdout)) as Took;
}

/** The time from the start of processes to their end. */
async function wholly(...runs: readonly (readonly string[])[]): Promise<Took> {
  const from = performance.now();
  const all = await Promise.all(runs.map((flags) => started(...flags)));
  const processor = all.reduce((sum, took) => sum + took.processor, 0);
  return { wall: (performance.now() - from) / 1000, processor };
}

const half = (shard: string): readonly string[] => ["--workers", "0", "--shard", shard];

interface Form {
  readonly name: string;
  readonly run: () => Promise<Took>;
  /** The form in one thread that it is compared with. */
  readonly against?: string;
}

const first: readonly Form[] = [
  { name: "one thread", run: () => wholly(["--workers", "0"]) },
  { name: "two workers", run: () => wholly(["--workers", "2"]), against: "one thread" },
  { name: "two processes", run: () => wholly(half("1/2"), half("2/2")), against: "one thread" },
];
const again: readonly Form[] = [
  { name: "one thread, again", run: () => started("--workers", "0", "--again") },
  {
    name: "two workers, again",
    run: () => started("--workers", "2", "--again"),
    against: "one thread, again",
  },
];

async function main(): Promise<void> {
  const forms = values.again ? again : first;
  const times = new Map(forms.map(({ name }) => [name, [] as Took[]]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const { name, run } of forms) times.get(name)!.push(await run());
  }
  const walls = (name: string): number[] => times.get(name)!.map(({ wall }) => wall);
  record(
    forms.map(({ name }) => ({
      work: values.again ? "second sweep" : "first sweep",
      contender: name,
      wall: 1000 * median(walls(name)),
      processor: 1000 * median(times.get(name)!.map(({ processor }) => processor)),
    })),
  );
  console.log(
    `${jobs} jobs of ${values.updates} updates, ${values.rounds} rounds; medians, and the fastest round:`,
  );
  for (const { name, against } of forms) {
    const [middle, fastest] = [median(walls(name)), Math.min(...walls(name))];
    const processor = median(times.get(name)!.map((took) => took.processor));
    const shown = `${name}: ${middle.toFixed(2)} s, ${fastest.toFixed(2)} s, processor ${processor.toFixed(2)} s`;
    if (against === undefined) {
      console.log(shown);
      continue;
    }
    const byMedian = (median(walls(against)) / middle).toFixed(2);
    const byFastest = (Math.min(...walls(against)) / fastest).toFixed(2);
    console.log(`${shown}; ${byMedian} and ${byFastest} times as fast`);
  }
}

void (values.workers === undefined ? main() : child());
