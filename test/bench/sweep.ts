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
import { orderTask, sweep } from "turnwise";
import { median } from "./peers/statistics.js";

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

/** Seconds of a sweep in this process. */
async function sweepHere(): Promise<number> {
  const started = performance.now();
  await sweep({
    task: orderTask,
    grid: { arm: "reverse", updates: Number(values.updates) },
    seeds: jobs,
    workers: Number(values.workers),
    ...(values.shard === undefined ? {} : { shard: values.shard }),
  });
  return (performance.now() - started) / 1000;
}

async function child(): Promise<void> {
  if (values.again) await sweepHere();
  console.log(await sweepHere());
}

/** Starts this file anew with these flags; gives the seconds that it tells. */
async function started(...flags: readonly string[]): Promise<number> {
  const args = [__filename, "--jobs", values.jobs, "--updates", values.updates, ...flags];
  const { stdout } = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return Number(await text(stdout));
}

async function wholly(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return (performance.now() - from) / 1000;
}

const processes = (): Promise<unknown> =>
  Promise.all(["1/2", "2/2"].map((shard) => started("--workers", "0", "--shard", shard)));

interface Form {
  readonly name: string;
  readonly run: () => Promise<number>;
  /** The form in one thread that it is held against. */
  readonly against?: string;
}

const first: readonly Form[] = [
  { name: "one thread", run: () => wholly(() => started("--workers", "0")) },
  { name: "two workers", run: () => wholly(() => started("--workers", "2")), against: "one thread" },
  { name: "two processes", run: () => wholly(processes), against: "one thread" },
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
  const times = new Map(forms.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const { name, run } of forms) times.get(name)!.push(await run());
  }
  console.log(`${jobs} jobs of ${values.updates} updates, medians of ${values.rounds} rounds:`);
  for (const { name, against } of forms) {
    const took = median(times.get(name)!);
    const ratio =
      against === undefined ? "" : `, ${(median(times.get(against)!) / took).toFixed(2)} times as fast`;
    console.log(`${name}: ${took.toFixed(2)} s${ratio}`);
  }
}

void (values.workers === undefined ? main() : child());
