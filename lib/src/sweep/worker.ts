import { parentPort, workerData } from "node:worker_threads";
import { loadTask, runJob, type JobFunction } from "./task";

/** To a worker: a job to run. */
export interface JobMessage {
  readonly options: Readonly<Record<string, unknown>>;
}

/** From a worker. `fatal` means that no job can run. */
export type WorkerMessage =
  | { readonly t: "ready" }
  | { readonly t: "progress"; readonly fraction: number }
  | { readonly t: "done"; readonly value: string; readonly seconds: number }
  | {
      readonly t: "error";
      readonly fatal: boolean;
      readonly name: string;
      readonly message: string;
      readonly stack: string;
    };

const SHORTEST_GAP_MS = 200;

function main(): void {
  const port = parentPort!;
  const send = (message: WorkerMessage): void => port.postMessage(message);
  const fail = (thrown: unknown, fatal: boolean): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    send({ t: "error", fatal, name: error.name, message: error.message, stack: error.stack ?? "" });
  };
  let run: JobFunction;
  try {
    run = loadTask(workerData as Parameters<typeof loadTask>[0]);
  } catch (error) {
    fail(error, true);
    return;
  }
  let sentAt = -Infinity;
  const report = (fraction: number): void => {
    if (performance.now() - sentAt < SHORTEST_GAP_MS) return;
    sentAt = performance.now();
    send({ t: "progress", fraction });
  };
  port.on("message", ({ options }: JobMessage) => {
    runJob(run, options, { report }).then(
      ({ value, seconds }) => send({ t: "done", value, seconds }),
      (error: unknown) => fail(error, false),
    );
  });
  send({ t: "ready" });
}

main();
