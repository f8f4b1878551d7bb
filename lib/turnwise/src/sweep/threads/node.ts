import path from "node:path";
import { MessageChannel } from "node:worker_threads";
import type { Piscina } from "piscina";
import { keepLoopsEndable } from "../endable";
import type { JobNews, JobThreads, OutcomeMessage, ThreadJob } from "../jobThreads";
import { startData } from "../quickStart";
import type { JobMessage } from "../worker";

/** Starts worker threads. */
export function startThreads(count: number): JobThreads {
  keepLoopsEndable();
  // Loaded here and not above: most programs that import the library start no threads.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const pool = require("piscina") as typeof import("piscina");
  const threads = new pool.Piscina({
    filename: path.join(__dirname, "..", "worker.js"),
    name: "runMessage",
    minThreads: count,
    maxThreads: count,
    workerData: startData(),
    // Asleep on an atomic, a thread would run no timer or stray promise that a job has left behind.
    atomics: "disabled",
    recordTiming: false,
  });
  // An error in an idle thread concerns no job, and the pool replaces the thread.
  threads.on("error", () => undefined);
  return new NodeThreads(threads);
}

class NodeThreads implements JobThreads {
  constructor(private readonly threads: Piscina) {}

  get maxThreads(): number {
    return this.threads.maxThreads;
  }

  get completed(): number {
    return this.threads.completed;
  }

  async run(job: ThreadJob, hear: (news: JobNews) => void): Promise<OutcomeMessage> {
    const { port1, port2 } = new MessageChannel();
    port1.on("message", hear);
    const message: JobMessage = { ...job, port: port2 };
    try {
      return (await this.threads.run(message, { transferList: [port2] })) as OutcomeMessage;
    } finally {
      port1.close();
    }
  }

  onLost(listener: (error: Error) => void): () => void {
    // The pool gives up on threads that die while they start, and their jobs would wait for ever.
    const heard = (error: Error): void => {
      if (this.threads.threads.length === 0) listener(error);
    };
    this.threads.on("error", heard);
    return () => this.threads.off("error", heard);
  }

  async destroy(): Promise<void> {
    await this.threads.destroy();
  }
}
