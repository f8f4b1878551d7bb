import Module, { createRequire } from "node:module";
import path from "node:path";
import { findFile, type Compiled } from "./compile";
import type { Namespace } from "./notebook";

/** Modules that a job may name, as a thread gets them. */
export interface ModuleFiles extends Compiled {
  /** The folder from which plans name them. */
  readonly base: string;
  /** Their absolute paths: they are loaded in this order. */
  readonly files: readonly string[];
}

interface CompilableModule extends Module {
  _compile(code: string, file: string): void;
}

/** While a module is evaluated, its file: what it registers is known to come from there. */
const loadingSymbol = Symbol.for("turnwise.loading");

const loaded = new Map<string, Module>();

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
    throw new Error(`Cannot load ${file} as its top level must run without an error: ${said}`, { cause });
  }
}

function evaluate(file: string, sources: ModuleFiles["sources"]): Namespace {
  const code = sources[file];
  if (code === undefined) return whileLoading(file, () => createRequire(file)(file) as Namespace);
  const known = loaded.get(file);
  if (known) return known.exports as Namespace;
  process.setSourceMapsEnabled(true);
  const module = new Module(file) as CompilableModule;
  module.filename = file;
  module.paths = (Module as unknown as { _nodeModulePaths(folder: string): string[] })._nodeModulePaths(
    path.dirname(file),
  );
  const near = createRequire(file);
  const require = (specifier: string): unknown => {
    const local = specifier.startsWith(".")
      ? findFile(path.resolve(path.dirname(file), specifier))
      : undefined;
    return local !== undefined && sources[local] !== undefined
      ? evaluate(local, sources)
      : requirePackage(near, specifier);
  };
  module.require = Object.assign(require, near) as NodeJS.Require;
  loaded.set(file, module);
  try {
    whileLoading(file, () => module._compile(code, file));
  } catch (error) {
    loaded.delete(file);
    throw error;
  }
  return module.exports as Namespace;
}

/** The library and its packages are those of this file, so that there is one registry of worlds and one TensorFlow.js. */
function requirePackage(near: NodeJS.Require, specifier: string): unknown {
  const own = createRequire(__filename);
  if (/^turnwise(\/|$)/.test(specifier)) return own(specifier);
  try {
    near.resolve(specifier);
  } catch (error) {
    if (/^[./]/.test(specifier)) throw error;
    try {
      own.resolve(specifier);
    } catch {
      throw error;
    }
    return own(specifier);
  }
  return near(specifier);
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
