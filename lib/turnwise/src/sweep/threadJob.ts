import { modules } from "#sweep/modules";
import type { JobFunction } from "./job";
import { failure, type JobNews, type OutcomeMessage, type ThreadJob } from "./jobThreads";
import { revive } from "./modules/handOver";
import { loadModules } from "./modules/load";
import { loadTask, runJob } from "./task";

const SHORTEST_GAP_MS = 200;

/**
 * Runs a job in this thread. Errors go back as plain data, since a cloned error loses its name.
 *
 * @param loaded is called once the task is loaded
 */
export async function runThreadJob(
  { task, options }: ThreadJob,
  tell: (news: JobNews) => void,
  loaded: () => void = () => undefined,
): Promise<OutcomeMessage> {
  let run: JobFunction;
  let settings = options;
  try {
    await modules.ready(task);
    if (task.modules && task.modules.files.length > 0) {
      settings = revive(options, { ...task.modules, modules: loadModules(task.modules) });
    }
    run = loadTask(task);
    loaded();
  } catch (error) {
    return failure(error, true);
  }
  let sentAt = -Infinity;
  const report = (fraction: number): void => {
    if (performance.now() - sentAt < SHORTEST_GAP_MS) return;
    sentAt = performance.now();
    tell(fraction);
  };
  const emit = (emitted: unknown): void => tell({ emitted });
  try {
    return { t: "done", ...(await runJob(run, settings, { report, emit })) };
  } catch (error) {
    return failure(error, false);
  }
}
