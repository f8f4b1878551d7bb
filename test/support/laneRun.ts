import { spawn, type ChildProcess } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { reporters } from "mocha";
import { JobQueue, type Job } from "./lanes.js";
import { root } from "./paths.js";
import { readDurations } from "./report/durations.js";
import type { TestEvent } from "./report/events.js";
import { Report } from "./report/report.js";

/** How many lanes suit this machine: one more than cores, since tests of kernels and pages mostly wait. */
export const lanesHere = (): number => Math.min(4, os.availableParallelism() + 1);

interface LaneOptions {
  readonly lanes: number;
  /** Prints where the time went. */
  readonly times?: boolean;
  /** Writes the times into test/durations.json. */
  readonly record?: boolean;
  /** Lines that the end of the report adds on what was not run. */
  readonly notRun?: readonly string[];
  /** The program of Node; default: the one that runs. */
  readonly program?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Keeps the times for the next run's estimate; default: yes. */
  readonly store?: boolean;
}

export interface Counted {
  readonly status: number;
  /** The last line, which counts. */
  readonly said: string;
}

/** Runs tests in several processes side by side, with one report. */
export async function runLanes(jobs: readonly Job[], o: LaneOptions): Promise<Counted> {
  const files = jobs.flatMap((job) => job.files);
  const lanes = Math.min(o.lanes, Math.max(1, jobs.length));
  const report = new Report({ ...o, files, lanes });
  const queue = new JobQueue(jobs, readDurations());
  const running = new Set<ChildProcess>();
  let interrupted = 0;
  const bin = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
  const reporter = path.join(root, "test", "support", "laneReporter.cjs");
  const color = reporters.Base.useColors ? "--color" : "--no-color";

  const run = (job: Job, lane: number): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn(o.program ?? process.execPath, [bin, color, "--reporter", reporter, ...job.files], {
        cwd: root,
        stdio: ["ignore", "pipe", "inherit", "ipc"],
        env: o.env ?? process.env,
      });
      running.add(child);
      let ended = false;
      child.on("message", (event: TestEvent) => {
        if (event.t === "end") ended = true;
        report.hear(event, lane);
      });
      child.stdout!.setEncoding("utf8").on("data", (text: string) => {
        report.said(text, lane);
      });
      child.on("error", (error) => {
        ended = true;
        report.died(error.message, lane);
        resolve();
      });
      child.on("close", (code, signal) => {
        running.delete(child);
        if (!ended) report.died(signal ?? `status ${String(code)}`, lane);
        resolve();
      });
    });

  const stop = (signal: NodeJS.Signals): void => {
    interrupted = 128 + os.constants.signals[signal];
    queue.clear();
    for (const child of running) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, stop);
  const work = async (lane: number): Promise<void> => {
    for (let job = queue.next(); job; job = queue.next()) await run(job, lane);
    report.idle(lane);
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
  for (const signal of signals) process.off(signal, stop);
  return { said: report.end(), status: interrupted || (report.failed ? 1 : 0) };
}
