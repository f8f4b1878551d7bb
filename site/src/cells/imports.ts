import { dirname, join, resolve } from "../library/node/path.js";
import { fileURLToPath } from "../library/node/url.js";
import type { CellImports } from "turnwise-kernel/internal/session/cell-imports";
import { fileFor } from "turnwise-kernel/internal/session/file-for";
import { setUp } from "turnwise/browser";
import { pageFolder, type PageFiles } from "../shared/page-folder.js";
import { commonJsNamespace } from "turnwise-kernel/internal/session/namespace";
import { foreignSpecifier, installedSpecifier } from "turnwise-kernel/internal/types/foreign-specifier";
import type { Stacks } from "turnwise-kernel/internal/session/stacks";
import { placed } from "turnwise-kernel/internal/session/placed";
import { Broken, type CompiledFiles } from "./compiled.js";
import { LocalFiles } from "./local-files.js";
import { isFile, textOf } from "./module-file.js";
import { PageModules } from "./page-modules.js";

type Namespace = Record<string, unknown>;

/** Loader of a module, by the name under which cells import it; undefined if the site does not have it. */
export type ModuleTable = (name: string) => (() => Namespace | Promise<Namespace>) | undefined;

/** Whether it is CommonJS; an ES module declares itself when it is compiled. */
const isCommonJs = (path: string, exports: Namespace): boolean =>
  path.endsWith(".cjs") || (path.endsWith(".js") && !exports["__esModule"]);

/** Imports of cells in a page: the site's modules by a table, local files from those of the page. */
export class SiteImports implements CellImports {
  readonly meta: Namespace;
  readonly files: LocalFiles;
  readonly modules: PageModules;
  private readonly defined = new Map<string, unknown>();
  /** Modules that were imported before, by their names. */
  private readonly there = new Map<string, Namespace>();

  constructor(
    private readonly folder: string,
    private readonly url: (path: string) => string,
    private readonly table: ModuleTable,
    private readonly provided: Record<string, () => Namespace>,
    private readonly compiled: CompiledFiles,
    private readonly stacks: Stacks,
    declare: (values: Namespace) => void,
  ) {
    this.files = new LocalFiles(
      compiled,
      { prepare: (name) => this.fetched(name), require: (name) => this.require(name) },
      stacks,
    );
    // What the page offers changes once its kept files are there.
    const own = (): PageFiles => setUp({}).files;
    const disk = pageFolder({ read: (path) => own().read(path), list: (path) => own().list(path) }, folder);
    this.modules = new PageModules(folder, this.files, compiled, disk, declare);
    const filename = join(folder, "notebook.ts");
    this.meta = {
      url: url(filename),
      dirname: dirname(filename),
      filename,
      resolve: (specifier: unknown) => this.addressOf(String(specifier)),
    };
  }

  /** File that `import` would load; a package of the page has its name alone. */
  private addressOf(name: string): string {
    if (/^(\.|\/|file:)/.test(name)) {
      const path = name.startsWith("file:") ? fileURLToPath(name) : resolve(this.folder, name);
      return this.url(fileFor(path, isFile) ?? path);
    }
    if (/^[a-z][a-z\d+.-]*:/i.test(name) || this.known(name)) return name;
    throw notFound(name, this.folder);
  }

  readonly import = async (specifier: unknown): Promise<Namespace> => {
    const written = String(specifier);
    const name = installedSpecifier(written) ?? written;
    if (name.startsWith("file:")) return this.importFile(fileURLToPath(name));
    if (/^(\.|\/)/.test(name)) return this.importFile(name);
    const found = await this.fetched(name);
    if (found) return found;
    const advice = foreignSpecifier(written);
    if (advice !== undefined) throw new Error(`Cannot import ${JSON.stringify(written)}: ${advice}.`);
    throw notFound(name, this.folder);
  };

  /** Modules of the table that are there already; a `require` cannot wait for another. */
  readonly require = (name: string): unknown => {
    if (this.defined.has(name)) return this.defined.get(name);
    if (/^(\.|\/)/.test(name) && name.endsWith(".json")) return this.json(resolve(this.folder, name));
    const found = this.there.get(name) ?? this.known(name)?.();
    if (found instanceof Promise)
      throw new Error(`Cannot require ${JSON.stringify(name)}: it must be there already. Import it instead.`);
    if (found) return found.default ?? found;
    throw notFound(name, this.folder);
  };

  readonly define = (name: string, code: string): void => {
    this.defined.set(`./${name}`, this.commonJs(code, `${name}.ts`));
  };

  /** The exports of a CommonJS module. */
  private commonJs(code: string, name: string): Namespace {
    const module: { exports: Namespace } = { exports: {} };
    const run = new Function("module", "exports", "require", `${code}\n//# sourceURL=${name}`) as (
      ...given: unknown[]
    ) => void;
    run(module, module.exports, this.require);
    return module.exports;
  }

  /** A page has no tsconfig.json. */
  readonly useAliases = (): void => undefined;

  readonly forgetLoading = (): void => undefined;

  private async fetched(name: string): Promise<Namespace | undefined> {
    const found = await this.known(name)?.();
    if (found) this.there.set(name, found);
    return found;
  }

  private known(name: string): (() => Namespace | Promise<Namespace>) | undefined {
    const { provided, table } = this;
    if (Object.hasOwn(provided, name)) return provided[name];
    return table(name);
  }

  private async importFile(specifier: string): Promise<Namespace> {
    const defined = this.defined.get(specifier);
    if (defined !== undefined) return commonJsNamespace(defined as Namespace);
    const path = fileFor(resolve(this.folder, specifier), isFile);
    if (path === undefined) throw notFound(specifier, this.folder);
    if (path.endsWith(".json")) {
      const value = this.json(path);
      return { ...(typeof value === "object" && !Array.isArray(value) ? value : {}), default: value };
    }
    // Not by the browser's own loader: it keeps a module forever, knows no file that a reader has, and its loops have no marks.
    const exports = await this.modules.import(path);
    return isCommonJs(path, exports) ? commonJsNamespace(exports) : exports;
  }

  private json(path: string): unknown {
    try {
      return JSON.parse(textOf(path)!);
    } catch (error) {
      if (error instanceof SyntaxError) this.placing(path, () => this.compiled.of(textOf(path)!, path));
      throw error;
    }
  }

  private placing(path: string, run: () => unknown): void {
    try {
      run();
    } catch (error) {
      throw error instanceof Broken ? placed(error.at, path, this.stacks) : error;
    }
  }
}

function notFound(specifier: string, folder: string): Error {
  const error = new Error(`Cannot find module '${specifier}' from ${folder}.`);
  return Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
}
