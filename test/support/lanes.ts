import type { Durations } from "./report/position.js";

/** Files of tests that one process runs, one after another. */
export interface Job {
  readonly name: string;
  readonly files: readonly string[];
  /** "sensitive": never beside another such job as long as there are others; "alone": beside nothing. */
  readonly kind: "free" | "sensitive" | "alone";
}

/** Where browsers and kernels answer, in several processes each. */
const sensitive = /^(browser|site|kernel|protocol|cli)\//;
/** What measures time: load beside it would be measured, too. */
const alone = [
  "bench/smoke.test.js",
  "kernel/scheduling.test.js",
  "kernel/stream-chart.test.js",
  "kernel/streams.test.js",
  "lib/play/pace.test.js",
];
/** One JupyterLab and one browser serve all of its files; the notebooks' tests share the folder of the notebooks. */
const whole = /^(browser|notebooks)$/;
const filesOfJob = 12;

const inTests = (file: string): string => file.replace(/^build\/test\//, "");

function nameOf(file: string): string {
  const name = inTests(file);
  if (alone.includes(name)) return "alone";
  const [first, second] = name.split("/");
  if (first === "course") return "notebooks";
  return first === "lib" && !second!.endsWith(".js") ? `lib/${second!}` : first!;
}

/** Divides files into jobs: by folders, and large folders into several. */
export function jobsOf(files: readonly string[]): Job[] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const name = nameOf(file);
    const before = folders.get(name);
    if (before) before.push(file);
    else folders.set(name, [file]);
  }
  return [...folders].flatMap(([name, all]) => {
    const kind = name === "alone" ? "alone" : sensitive.test(`${name}/`) ? "sensitive" : "free";
    const parts = whole.test(name) ? 1 : Math.ceil(all.length / filesOfJob);
    const size = Math.ceil(all.length / parts);
    return Array.from({ length: parts }, (_, i) => ({
      name,
      kind,
      files: all.slice(i * size, (i + 1) * size),
    }));
  });
}

/** What a file takes if nobody knows: what folders took for each of their files on two quiet cores. */
const typicalMs = { browser: 17_000, notebooks: 6_000, engines: 25_000, kernel: 4_000, cli: 5_000 };

function estimate(job: Job, known: Durations): number {
  const typical = (typicalMs as Durations)[job.name] ?? 1_500;
  return job.files.reduce((sum, file) => sum + (known[file] ?? typical), 0);
}

/**
 * The jobs of a run as lanes ask for them. The first lane takes what is sensitive, the others what is free, the longest first;
 * a lane for which nothing of its own is left helps with the rest, from its end. What needs the machine for itself comes when
 * all else is over, to the lane that asks last.
 */
export class JobQueue {
  private readonly waiting: Job[];
  private readonly alone: Job[];
  private busy = 0;

  constructor(jobs: readonly Job[], known: Durations) {
    const ordered = jobs
      .map((job) => ({ job, ms: estimate(job, known) }))
      .sort((a, b) => b.ms - a.ms)
      .map(({ job }) => job);
    this.waiting = ordered.filter(({ kind }) => kind !== "alone");
    this.alone = ordered.filter(({ kind }) => kind === "alone");
  }

  /** The next job of a lane; none if nothing is left for it. Say `done` when it has ended. */
  next(lane: number): Job | undefined {
    const own = lane === 0 ? "sensitive" : "free";
    const job = this.waiting.find(({ kind }) => kind === own) ?? this.waiting.at(-1);
    if (job) this.waiting.splice(this.waiting.indexOf(job), 1);
    const taken = job ?? (this.busy === 0 ? this.alone.shift() : undefined);
    if (taken) this.busy++;
    return taken;
  }

  done(): void {
    this.busy--;
  }

  /** No job is started any more. */
  clear(): void {
    this.waiting.length = this.alone.length = 0;
  }
}
