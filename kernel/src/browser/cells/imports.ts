import { dirname, join, resolve } from "../library/node/path.js";
import type { CellImports, CellModules } from "../../session/cell-imports.js";
import { commonJsNamespace } from "../../session/namespace.js";
import { foreignSpecifier } from "../../types/foreign-specifier.js";
import type { Files } from "./files.js";

type Namespace = Record<string, unknown>;

/** How a module is loaded, by the name under which cells import it; undefined if the site does not have it. */
export type ModuleTable = (name: string) => (() => Namespace | Promise<Namespace>) | undefined;

const localScript = /\.[mc]?js$/;

/** Imports of cells in a page: the site's modules by a table, files by their address. */
export class SiteImports implements CellImports {
  readonly meta: Namespace;
  readonly files = { mapOf: (): undefined => undefined };
  private readonly defined = new Map<string, unknown>();
  private readonly loaded = new Map<string, Namespace>();
  /** A module script that is not a part of this one. */
  private readonly native = new Function("url", "return import(url)") as (url: string) => Promise<Namespace>;

  constructor(
    private readonly folder: string,
    private readonly site: Files,
    private readonly table: ModuleTable,
    private readonly provided: Record<string, () => Namespace>,
  ) {
    const filename = join(folder, "notebook.ts");
    this.meta = {
      url: site.url(filename),
      dirname: dirname(filename),
      filename,
      resolve: (specifier: string) => site.url(resolve(folder, specifier)),
    };
  }

  readonly import = async (specifier: unknown): Promise<Namespace> => {
    const name = String(specifier);
    const elsewhere = foreignSpecifier(name);
    if (elsewhere !== undefined) throw new Error(`Cannot import ${JSON.stringify(name)} as ${elsewhere}`);
    if (/^(\.|\/)/.test(name)) return this.importFile(name);
    const found = this.known(name);
    if (found) return found();
    throw notFound(name, this.folder);
  };

  /** Modules of the table that are there already; a `require` cannot wait for another. */
  readonly require = (name: string): unknown => {
    if (this.defined.has(name)) return this.defined.get(name);
    if (/^(\.|\/)/.test(name) && name.endsWith(".json")) return this.json(resolve(this.folder, name), name);
    const found = this.known(name)?.();
    if (found instanceof Promise)
      throw new Error(
        `Cannot require ${JSON.stringify(name)} as it must be there already: import it instead`,
      );
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

  readonly modules: CellModules = {
    write: () => {
      throw new Error(
        "Cannot write a module as a notebook in a page must have files of its own: it has none",
      );
    },
    exports: () => ({}),
    renewed: (command) => command,
    textOf: () => undefined,
  };

  /** A page has no tsconfig.json. */
  readonly useAliases = (): void => undefined;

  readonly forgetLoading = (): void => undefined;

  private known(name: string): (() => Namespace | Promise<Namespace>) | undefined {
    const { provided, table } = this;
    if (Object.hasOwn(provided, name)) return provided[name];
    return table(name);
  }

  private async importFile(specifier: string): Promise<Namespace> {
    const defined = this.defined.get(specifier);
    if (defined !== undefined) return commonJsNamespace(defined as Namespace);
    const path = resolve(this.folder, specifier);
    if (path.endsWith(".json")) {
      const value = this.json(path, specifier);
      return { ...(typeof value === "object" && !Array.isArray(value) ? value : {}), default: value };
    }
    const text = localScript.test(path) ? this.site.read(path) : undefined;
    if (text === undefined) throw notFound(specifier, this.folder);
    const key = `${path}\n${text}`;
    const known = this.loaded.get(key);
    if (known) return known;
    // A browser keeps modules forever: a changed file is a new module under a new address.
    const namespace = path.endsWith(".cjs")
      ? commonJsNamespace(this.commonJs(text, path))
      : await this.native(`${this.site.url(path)}?${this.loaded.size}`);
    this.loaded.set(key, namespace);
    return namespace;
  }

  private json(path: string, specifier: string): unknown {
    const text = this.site.read(path);
    if (text === undefined) throw notFound(specifier, this.folder);
    return JSON.parse(text);
  }
}

function notFound(specifier: string, folder: string): Error {
  const error = new Error(`Cannot find module '${specifier}' from ${folder}`);
  return Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
}
