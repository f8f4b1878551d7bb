import type { JobFunction } from "../../job";
import type { Namespace } from "../notebook";

/** A module whose code has not run yet. */
export interface FreshModule {
  readonly exports: unknown;
  /** Runs the code, which is that of a CommonJS module. */
  run(code: string): void;
}

/** Requirements of a task before it can be loaded. */
interface Needed {
  readonly module?: string;
  readonly modules?: { readonly sources: Readonly<Record<string, string>> };
}

/** Finds, compiles and runs modules: by Node's loader, or among those that a page has loaded. */
export interface ModuleHost {
  /** The job that trains. */
  trainJob(): JobFunction;
  /** The library's job that trains seeds, as other threads find it. */
  readonly seedTask: { readonly module: string; readonly export: string; readonly own: true };
  /** Resolves when what the task names can be loaded at once. */
  ready(task: Needed): Promise<void>;
  /**
   * The module of a task, as other threads find it.
   *
   * @throws {Error} if there is none
   */
  resolve(module: string, exported: string): string;
  /** The exports of a module that needs no compiler. */
  load(file: string): Namespace;
  /** Whether a file's text is compiled here and handed to the threads. */
  compiles(file: string): boolean;
  /** The package typescript, as a file finds it. */
  compiler(file: string): unknown;
  /** @param local the exports of a module beside this one, if a specifier means one */
  fresh(file: string, local: (specifier: string) => unknown): FreshModule;
}

/** TypeScript, but no declarations. */
export const isTypeScript = (file: string): boolean => /(?<!\.d)\.[cm]?tsx?$/.test(file);
