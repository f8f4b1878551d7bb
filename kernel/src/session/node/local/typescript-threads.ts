import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ForkOptions } from "node:child_process";
import type { WorkerOptions } from "node:worker_threads";
import { isTypeScript } from "./addresses.js";

/** Preparation of a thread or process whose entry is TypeScript. */
const preparation = ["--import", pathToFileURL(join(__dirname, "thread.js")).href];

/** Lets workers and forks begin with a TypeScript file, on any Node; a session's hooks end at its own thread. */
export function runTypeScriptInThreads(): void {
  // Not imported: what they export is to be changed, for every importer.
  const builtIn = createRequire(__filename);
  const threads = builtIn("node:worker_threads") as typeof import("node:worker_threads");
  const processes = builtIn("node:child_process") as typeof import("node:child_process");
  threads.Worker = new Proxy(threads.Worker, {
    construct(target, [file, o, ...rest]: [unknown, WorkerOptions?, ...unknown[]], newTarget) {
      const execArgv = o?.eval || !isProgram(file) ? undefined : [...(o?.execArgv ?? []), ...preparation];
      return Reflect.construct(
        target,
        [file, execArgv ? { ...o, execArgv } : o, ...rest],
        newTarget,
      ) as object;
    },
  });
  const { fork } = processes;
  processes.fork = function (file: string | URL, ...given: unknown[]) {
    if (!isProgram(file)) return fork(file, ...(given as []));
    const args = Array.isArray(given[0]) ? (given[0] as string[]) : [];
    const o = (given.find((one) => typeof one === "object" && one !== null && !Array.isArray(one)) ??
      {}) as ForkOptions;
    return fork(file, args, { ...o, execArgv: [...(o.execArgv ?? process.execArgv), ...preparation] });
  };
  syncBuiltinESMExports();
}

function isProgram(file: unknown): boolean {
  if (file instanceof URL) return file.protocol === "file:" && isTypeScript(fileURLToPath(file));
  return typeof file === "string" && isTypeScript(file);
}
