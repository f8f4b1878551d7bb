import { path } from "#path";
import { modules } from "#sweep/modules";
import { findFile, type Compiled } from "./compile";
import type { FreshModule } from "./host/moduleHost";
import type { Namespace } from "./notebook";

/** Modules that a job may name, as a thread gets them. */
export interface ModuleFiles extends Compiled {
  /** The folder from which plans name them. */
  readonly base: string;
  /** Their absolute paths: they are loaded in this order. */
  readonly files: readonly string[];
}

/** While a module is evaluated, its file: what it registers is known to come from there. */
const loadingSymbol = Symbol.for("turnwise.loading");

const loaded = new Map<string, FreshModule>();

/** Loads modules in this thread, each once. `turnwise` in them is this very library. */
export function loadModules({
  files,
  sources,
}: Pick<ModuleFiles, "files" | "sources">): ReadonlyMap<string, Namespace> {
  return new Map(files.map((file) => [file, loadModule(file, sources)]));
}

/**
 * The exports of a module.
 *
 * @throws {Error} if its top level throws
 */
export function loadModule(file: string, sources: ModuleFiles["sources"]): Namespace {
  try {
    return evaluate(file, sources);
  } catch (cause) {
    const said = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new Error(`Cannot load ${file}: its top level threw an error: ${said}`, { cause });
  }
}

function evaluate(file: string, sources: ModuleFiles["sources"]): Namespace {
  const code = sources[file];
  if (code === undefined) return whileLoading(file, () => modules.load(file));
  const known = loaded.get(file);
  if (known) return known.exports as Namespace;
  const module = modules.fresh(file, (specifier) => {
    const local = specifier.startsWith(".")
      ? findFile(path.resolve(path.dirname(file), specifier))
      : undefined;
    return local !== undefined && sources[local] !== undefined ? evaluate(local, sources) : undefined;
  });
  loaded.set(file, module);
  try {
    whileLoading(file, () => module.run(code));
  } catch (error) {
    loaded.delete(file);
    throw error;
  }
  return module.exports as Namespace;
}

function whileLoading<T>(file: string, run: () => T): T {
  const host = globalThis as unknown as Record<symbol, unknown>;
  const outer = host[loadingSymbol];
  host[loadingSymbol] = file;
  try {
    return run();
  } finally {
    host[loadingSymbol] = outer;
  }
}
