// First, as it makes what follows load faster.
import { keepCompiled } from "./quickStart";
import type { MessagePort } from "node:worker_threads";
import type { JobNews, OutcomeMessage, ThreadJob } from "./jobThreads";
import { runThreadJob } from "./threadJob";

/** To a worker: a job to run, and where to report its progress. */
export interface JobMessage extends ThreadJob {
  readonly port: MessagePort;
}

/**
 * Main function of each thread of a sweep.
 *
 * @public
 */
export async function runMessage({ port, ...job }: JobMessage): Promise<OutcomeMessage> {
  try {
    return await runThreadJob(job, (news: JobNews) => port.postMessage(news), keepCompiled);
  } finally {
    port.close();
  }
}
