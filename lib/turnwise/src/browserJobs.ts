/** The start of a worker that runs jobs: a page's worker for sweeps is a script that sets up the page and calls this. */
import type { FromJobWorker } from "./sweep/threads/browser";
import type { ThreadJob } from "./sweep/jobThreads";
import { runThreadJob } from "./sweep/threadJob";

/** The global object of a worker, as far as it is used. */
interface WorkerScope {
  postMessage(message: FromJobWorker): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "unhandledrejection", listener: (event: { readonly reason: unknown }) => void): void;
}

/** Runs the jobs that the page sends, one after the other. */
export function serveJobs(scope: object = globalThis): void {
  const worker = scope as WorkerScope;
  worker.addEventListener("message", ({ data }) => {
    void runThreadJob(data as ThreadJob, (news) => worker.postMessage({ news })).then((outcome) =>
      worker.postMessage({ outcome }),
    );
  });
  // As in a thread of Node, a stray rejection ends the worker: only an error that nobody catches reaches the page.
  worker.addEventListener("unhandledrejection", ({ reason }) => {
    setTimeout(() => {
      throw reason;
    });
  });
}
