import type { ModuleMagic } from "../magics/module-line.js";
import type { Aliases } from "../types/compiler-options.js";
import type { LocalFiles } from "./errors.js";
import type { LiveNames } from "../types/live-names.js";
import type { ModuleCode } from "../types/module-code.js";
import type { ExecuteCommand } from "./messages.js";

/** A `%%module` cell on its way to its file. */
export interface WrittenModule extends ModuleMagic {
  text: string;
  /** Its JavaScript, where the session cannot compile it at once. */
  made?: ModuleCode;
  /** The names of the notebook that come from it, where those are global. */
  names?: LiveNames[string];
}

/** The modules of a notebook: the local files that its cells write with `%%module` or import. */
export interface CellModules {
  /** Writes the file of a `%%module` cell and loads it. */
  write(path: string, magic: WrittenModule): void | Promise<void>;
  /** The newest exports of a module of the notebook. */
  exports(path: string): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** The cell, and before it the names of modules that have changed since. */
  renewed(command: ExecuteCommand): ExecuteCommand;
  /** The text of a module's file; undefined for any other file. */
  textOf(path: string): string | undefined;
}

/** Requirements of a session that imports modules for its cells. */
export interface CellImports extends LocalFiles {
  import(specifier: unknown, wantsDefault?: boolean): Promise<Record<string, unknown>>;
  /** Defines the module `./<name>` from CommonJS code. */
  define(name: string, code: string): void;
  /** Names of modules that mean local files, from now on. */
  useAliases(aliases: Aliases | undefined): void;
  /** A cell was ended by force, maybe while a module was loading. */
  forgetLoading(): void;
  readonly modules: CellModules;
  /** `require` of cells. */
  readonly require: unknown;
  /** `import.meta` of cells. */
  readonly meta: Record<string, unknown>;
}
