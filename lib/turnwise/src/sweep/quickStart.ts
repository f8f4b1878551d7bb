/** Loads the library in a thread of a sweep in half of the time, since the thread gets the places of files and the compiled code. */
import module from "node:module";
import path from "node:path";
import { isMainThread, workerData } from "node:worker_threads";
import { userCache } from "../base/host/userCache";

/** Data passed to a new thread. */
export interface StartData {
  /** Node's answers to "which file is this import?", which cost a fifth of the time that loading takes. */
  readonly turnwisePaths?: Readonly<Record<string, string>>;
}

interface Loader {
  /** Not documented, and there since Node 0.3: where it is gone, threads only start more slowly. */
  readonly _pathCache?: Record<string, string>;
}

const loader = module as unknown as Loader;
/** The folder of this package, and of those that are released with it. */
const packages = path.join(__dirname, "..", "..", "..");

/** Facts about files that do not change while this thread runs: the library's own and installed packages. */
export function startData(): StartData {
  const known = Object.entries(loader._pathCache ?? {});
  const installed = `${path.sep}node_modules${path.sep}`;
  return {
    turnwisePaths: Object.fromEntries(
      known.filter(([, file]) => file.startsWith(packages) || file.includes(installed)),
    ),
  };
}

/** In Node 22 and later: bytecode beside the library or, where that folder cannot be written, in the user's cache. */
interface CompileCache {
  readonly constants?: { readonly compileCacheStatus?: { readonly FAILED: number } };
  enableCompileCache?(folder: string): { readonly status: number };
  flushCompileCache?(): void;
}

const compiled = module as unknown as CompileCache;

if (!isMainThread) {
  const given = workerData as StartData | undefined;
  if (given?.turnwisePaths && loader._pathCache) Object.assign(loader._pathCache, given.turnwisePaths);
  const tried = compiled.enableCompileCache?.(path.join(__dirname, "..", ".cache"));
  if (tried !== undefined && tried.status === compiled.constants?.compileCacheStatus?.FAILED)
    compiled.enableCompileCache?.(path.join(userCache()!, "bytecode"));
}

let kept = false;

/** Writes what this thread has compiled, once, for threads to come: their process may end without a word. */
export function keepCompiled(): void {
  if (kept || isMainThread) return;
  kept = true;
  compiled.flushCompileCache?.();
}
