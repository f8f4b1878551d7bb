import type { Durations } from "./report/durations.js";

/** Files of tests that one process runs, one after another. */
export interface Job {
  readonly name: string;
  readonly files: readonly string[];
}

/** One JupyterLab serves all browser tests, one browser and one server all site tests, and notebooks share their folder. */
const whole = /^(browser|site|notebooks)$/;
/** A process takes a second to start; longer jobs leave lanes idle at the end. */
const longestMs = 60_000;

const inTests = (file: string): string => file.replace(/^build\/test\//, "");

function nameOf(file: string): string {
  const [first, second] = inTests(file).split("/");
  if (first === "course") return "notebooks";
  return first === "lib" && !second!.endsWith(".js") ? `lib/${second!}` : first!;
}

/** Seconds that a file takes if nobody has measured it: the median of its folder on two quiet cores, by its tier. */
const typicalMs = (file: string): number => {
  const seconds = /\.(slow|matrix)\.test\.js$/.test(file) ? 10 : 1;
  return 1000 * (/^(browser|site)\//.test(inTests(file)) ? seconds + 10 : seconds);
};

const estimate = (files: readonly string[], known: Durations): number =>
  files.reduce((sum, file) => sum + (known[file] ?? typicalMs(file)), 0);

/** Puts the longest first, each into the bin that has least: `count` bins of about the same length. */
function pack<T>(items: readonly { readonly item: T; readonly ms: number }[], count: number): T[][] {
  const bins = Array.from({ length: count }, () => ({ ms: 0, items: [] as T[] }));
  for (const { item, ms } of [...items].sort((a, b) => b.ms - a.ms)) {
    const least = bins.reduce((a, b) => (b.ms < a.ms ? b : a));
    least.ms += ms;
    least.items.push(item);
  }
  return bins.map(({ items }) => items);
}

/** Divides files into jobs: by folders, and long folders into several of about the same length. */
export function jobsOf(files: readonly string[], known: Durations): Job[] {
  const folders = new Map<string, string[]>();
  for (const file of files) folders.set(nameOf(file), [...(folders.get(nameOf(file)) ?? []), file]);
  return [...folders].flatMap(([name, all]) => {
    const parts = whole.test(name) ? 1 : Math.max(1, Math.ceil(estimate(all, known) / longestMs));
    const items = all.map((file) => ({ item: file, ms: estimate([file], known) }));
    const bins = pack(items, Math.min(parts, all.length));
    return bins.map((bin) => ({ name, files: bin.sort() }));
  });
}

/** One of `count` shares of the jobs, of about the same length; the same jobs on every machine that reads the same durations. */
export function shardOf(jobs: readonly Job[], shard: number, count: number, known: Durations): Job[] {
  const items = jobs.map((job) => ({ item: job, ms: estimate(job.files, known) }));
  return pack(items, count)[shard - 1]!;
}

/** The jobs of a run as lanes ask for them, the longest first. */
export class JobQueue {
  private readonly waiting: Job[];

  constructor(jobs: readonly Job[], known: Durations) {
    const ms = new Map(jobs.map((job) => [job, estimate(job.files, known)]));
    this.waiting = [...jobs].sort((a, b) => ms.get(b)! - ms.get(a)!);
  }

  /** The next job; none if nothing is left. */
  next(): Job | undefined {
    return this.waiting.shift();
  }

  /** No more jobs are started. */
  clear(): void {
    this.waiting.length = 0;
  }
}
