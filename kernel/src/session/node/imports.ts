import { readFileSync } from "node:fs";
import Module, { createRequire, isBuiltin } from "node:module";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import type { Aliases } from "../../types/compiler-options.js";
import { aliasedFile, isAlias } from "./aliases.js";
import { foreignSpecifier, installedSpecifier, otherVersion } from "../../types/foreign-specifier.js";
import { installHint } from "../../types/install-hint.js";
import { findFile } from "./find-file.js";
import { NotebookModules } from "./notebook-modules.js";
import type { CellImports } from "../cell-imports.js";
import { commonJsNamespace, isOfExports } from "../namespace.js";
import { isOwnPackage, packageName, withOwnPackages } from "./own-packages.js";
import { packagePath } from "./package-path.js";
import type { Stacks } from "../stacks.js";
import { asPlaced, packageFile } from "./syntax-errors.js";
import { LocalModules } from "./local/local-modules.js";

type Namespace = Record<string, unknown>;
type NativeImport = (specifier: string) => Promise<Namespace>;

/** Imports of cells: everything resolves from the notebook's folder. */
export class Imports implements CellImports {
  /** `require` of the notebook's folder. */
  readonly require: NodeJS.Require;
  private readonly native: NativeImport;
  private readonly nativeFromKernel: NativeImport;
  readonly modules: NotebookModules;
  private readonly defined = new Map<string, unknown>();
  readonly files: LocalModules;
  private aliases: Aliases | undefined;
  /** Specifiers whose versions have been compared, and what has been told. */
  private readonly heard = new Set<string>();
  readonly meta: Namespace;

  constructor(
    private readonly folder: string,
    private readonly stacks: Stacks,
    /** Modules that the session itself provides, by specifier. */
    private readonly provided: Record<string, () => Namespace>,
  ) {
    const base = join(folder, "notebook.js");
    this.require = withOwnPackages(createRequire(base));
    this.native = nativeImport(base);
    this.nativeFromKernel = nativeImport(__filename);
    this.files = new LocalModules(folder, stacks, provided, this.native);
    this.forgetLoading = this.files.forgetLoading;
    this.modules = new NotebookModules(folder, this.files);
    this.meta = cellMeta(folder, this);
    provideToRequire(provided);
  }

  /**
   * Imports a module for a cell. ES modules, CommonJS, JSON and local TypeScript files all give a namespace;
   * CommonJS follows TypeScript's `esModuleInterop`, so that all its properties can be imported by name.
   */
  readonly import = async (specifier: unknown, wantsDefault = false): Promise<Namespace> => {
    const written = String(specifier);
    const namespace = await this.namespaceOf(written);
    if (!wantsDefault || "default" in namespace || isPath(written)) return namespace;
    // The whole of it is what is meant, as in a CommonJS module: undefined would be noticed much later.
    this.note(
      `${written} has no default export, so that name stands for all that it exports. Write import * as name from ${JSON.stringify(written)}`,
    );
    return Object.assign(Object.create(namespace) as Namespace, { default: namespace });
  };

  private async namespaceOf(written: string): Promise<Namespace> {
    const advice = foreignSpecifier(written);
    const installed = installedSpecifier(written);
    const refused = (): Error => new Error(`Cannot import ${JSON.stringify(written)}: ${advice}.`);
    if (advice !== undefined && installed === undefined) throw refused();
    const name = installed ?? written;
    const provided = Object.hasOwn(this.provided, name) ? this.provided[name] : undefined;
    if (provided) return provided();
    if (isPath(name)) return this.importFile(name);
    const aliased = this.localFile(name);
    if (aliased !== undefined) return this.importFile(aliased);
    if (isBuiltin(name)) return this.native(name);
    try {
      const namespace = interop(await this.native(name), this.require.cache);
      if (installed !== undefined) this.noteVersion(written, installed);
      return namespace;
    } catch (error) {
      if (error instanceof SyntaxError) {
        const file = packageFile(name, pathToFileURL(join(this.folder, "notebook.js")).href);
        throw file === undefined ? error : asPlaced(error, file, this.stacks);
      }
      const path = packagePath(error, name, this.require);
      if (path !== undefined) return interop(await this.native(path), this.require.cache);
      if (!isNotFound(error, name)) throw error;
      if (!isOwnPackage(name)) throw advice === undefined ? this.notFound(name) : refused();
      return interop(await this.nativeFromKernel(name), this.require.cache);
    }
  }

  /** Tells something once. */
  private note(text: string): void {
    if (this.heard.has(text)) return;
    this.heard.add(text);
    process.stderr.write(`${text}\n`);
  }

  /** Names of modules that mean local files, from now on. */
  useAliases(aliases: Aliases | undefined): void {
    this.aliases = aliases;
    this.files.useAliases(aliases);
  }

  readonly forgetLoading: () => void;

  /** Defines the module `./<name>` from CommonJS code; a new definition replaces the old one. */
  readonly define = (name: string, code: string): void => {
    const path = join(this.folder, `${name}.js`);
    const module = new Module(path) as Module & { _compile(code: string, path: string): void };
    module.filename = path;
    module.paths = this.require.resolve.paths("x") ?? [];
    const local = (specifier: string): unknown => this.defined.get(specifier) ?? this.require(specifier);
    module.require = Object.assign(local, this.require) as NodeJS.Require;
    module._compile(code, path);
    this.defined.set(`./${name}`, module.exports);
  };

  /** The file that a specifier means, as a path or by tsconfig.json; undefined if it means something else, or the file is not there. */
  localFile(specifier: string): string | undefined {
    if (!isPath(specifier)) return this.aliases && aliasedFile(specifier, this.aliases);
    const at = (path: string): string =>
      path.startsWith("file:") ? fileURLToPath(path) : resolve(this.folder, path);
    // `./mine.ts?3` asks for a module as it is now, which an import of a cell gives anyway.
    return findFile(at(specifier)) ?? findFile(at(specifier.replace(/[?#].*$/s, "")));
  }

  /** Says so, once, where the installed package is of another version than a specifier of Deno or an address asks for. */
  private noteVersion(written: string, installed: string): void {
    if (this.heard.has(written)) return;
    this.heard.add(written);
    const file = packageFile(installed, pathToFileURL(join(this.folder, "notebook.js")).href);
    const inside = join("node_modules", packageName(installed)) + sep;
    const end = file?.lastIndexOf(inside) ?? -1;
    if (file === undefined || end < 0) return;
    const manifest = readFileSync(join(file.slice(0, end), inside, "package.json"), "utf8");
    const note = otherVersion(written, (JSON.parse(manifest) as { version?: string }).version ?? "");
    if (note !== undefined) this.note(note);
  }

  private notFound(specifier: string): Error {
    const hint = isAlias(specifier, this.aliases) ? "" : installHint(specifier);
    const error: NodeJS.ErrnoException = new Error(
      `Cannot find module '${specifier}' from ${this.folder}.${hint}`,
    );
    error.code = "ERR_MODULE_NOT_FOUND";
    return error;
  }

  private async importFile(specifier: string): Promise<Namespace> {
    const defined = this.defined.get(specifier);
    if (defined !== undefined) return commonJsNamespace(defined as Namespace);
    const path = this.localFile(specifier);
    if (path === undefined) throw this.notFound(specifier);
    const namespace = interop(await this.files.load(path), this.require.cache);
    this.modules.note(path, namespace);
    return namespace;
  }
}

const isPath = (specifier: string): boolean =>
  specifier.startsWith(".") || isAbsolute(specifier) || specifier.startsWith("file:");

/** Makes `require` find the session's modules in cells and packages; the installed ones have no session. */
function provideToRequire(provided: Record<string, () => Namespace>): void {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  loader._load = function (request, ...rest) {
    return Object.hasOwn(provided, request) ? provided[request]!() : load.call(this, request, ...rest);
  };
}

/** Node's own `import()` with a base file, which scripts of the inspector do not have. */
function nativeImport(base: string): NativeImport {
  return new Script("(specifier) => import(specifier)", {
    filename: base,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER as never,
  }).runInThisContext() as NativeImport;
}

function interop(namespace: Namespace, cache: NodeJS.Dict<NodeModule>): Namespace {
  const exported = namespace.default;
  if ((typeof exported !== "object" && typeof exported !== "function") || exported === null) return namespace;
  for (const module of Object.values(cache)) {
    // Only CommonJS modules are in this cache: the default export of such a namespace is `module.exports`.
    if (module?.exports === exported && isOfExports(namespace, exported))
      return commonJsNamespace(exported as Namespace);
  }
  return namespace;
}

function isNotFound(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${packageName(name)}'`);
}

/** `import.meta` of a cell. */
function cellMeta(folder: string, imports: Imports): Namespace {
  const filename = join(folder, "notebook.ts");
  return {
    url: pathToFileURL(filename).href,
    dirname: dirname(filename),
    filename,
    resolve: (specifier: string) => addressOf(specifier, folder, imports),
  };
}

const load = createRequire(__filename);

/** File that `import` would load; a local file also without its extension, as cells import it. */
function addressOf(given: unknown, folder: string, imports: Imports): string {
  const specifier = installedSpecifier(String(given)) ?? String(given);
  const file = imports.localFile(specifier);
  if (file !== undefined) return pathToFileURL(file).href;
  const { resolve: ofNode } = load("./meta-resolve.mjs") as typeof import("./meta-resolve.mjs");
  try {
    return ofNode(specifier, pathToFileURL(join(folder, "notebook.js")).href);
  } catch (error) {
    if (isNotFound(error, specifier) && isOwnPackage(specifier))
      return pathToFileURL(imports.require.resolve(specifier)).href;
    throw error;
  }
}
