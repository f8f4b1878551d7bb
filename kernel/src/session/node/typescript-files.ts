import { readFileSync, statSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, extname, resolve } from "node:path";
import type { CompilerOptions } from "typescript";
import type { Aliases } from "../../types/compiler-options.js";
import { decodeSourceMap } from "../../types/transform/sourcemap.js";
import type { PositionMap } from "../../types/transform/edits.js";
import { aliasedFile } from "./aliases.js";
import { findFile } from "./find-file.js";

import { placed } from "../placed.js";
import { withOwnPackages } from "./own-packages.js";
import type { Stacks } from "../stacks.js";
import { firstSyntaxError } from "./syntax-errors.js";

const load = createRequire(__filename);

type Namespace = Record<string, unknown>;

interface Loaded {
  changed: number;
  module: Module;
  /** The local files that it imports. */
  imports: Set<string>;
}

interface CompilableModule extends Module {
  _compile(code: string, path: string): void;
}

/** While a module is evaluated, its file: what it registers with a library is then known to come from there. */
const loadingSymbol = Symbol.for("turnwise.loading");

/** Local TypeScript files of a notebook, compiled to CommonJS when they are imported, and again when they have changed. */
export class TypeScriptFiles {
  /** Names of modules that mean local files. */
  aliases: Aliases | undefined;
  private readonly loaded = new Map<string, Loaded>();
  private options: CompilerOptions | undefined;
  /** The source map of each file that was compiled: as text, until a stack needs it. */
  private readonly maps = new Map<string, string | PositionMap>();

  /** @param folder the notebook's, whose tsconfig.json says what becomes of decorators and JSX */
  constructor(
    private readonly folder: string,
    private readonly stacks: Stacks,
  ) {}

  /** Source map of a file's JavaScript. */
  mapOf(path: string): PositionMap | undefined {
    const map = this.maps.get(path);
    if (typeof map !== "string") return map;
    const { mappings } = JSON.parse(map) as { mappings: string };
    const decoded = decodeSourceMap(mappings);
    this.maps.set(path, decoded);
    return decoded;
  }

  /** The exports of a file; it is loaded afresh if it, or a file that it imports, has changed. */
  load(path: string): Namespace {
    // Those that V8 has ended half way are not whole.
    const stale = [...this.loaded].filter(([file, { module }]) => !module.loaded || this.isStale(file));
    for (const [file] of stale) this.loaded.delete(file);
    return this.loadModule(path).exports as Namespace;
  }

  /** Whether `load` would give something else than `exports`. */
  changed(path: string, exports: Namespace): boolean {
    return this.isStale(path) || this.loaded.get(path)!.module.exports !== exports;
  }

  private isStale(path: string, seen = new Set<string>()): boolean {
    const known = this.loaded.get(path);
    if (!known || mtime(path) !== known.changed) return true;
    seen.add(path);
    return [...known.imports].some((file) => !seen.has(file) && this.isStale(file, seen));
  }

  private loadModule(path: string): Module {
    const known = this.loaded.get(path);
    if (known) return known.module;
    const module = new Module(path) as CompilableModule;
    module.filename = path;
    module.paths = (Module as unknown as { _nodeModulePaths(folder: string): string[] })._nodeModulePaths(
      dirname(path),
    );
    const imports = new Set<string>();
    this.loaded.set(path, { changed: mtime(path), module, imports });
    const plainRequire = withOwnPackages(createRequire(path));
    const localRequire = (specifier: string): unknown => {
      const file = this.localFile(path, specifier);
      if (file === undefined) return plainRequire(specifier);
      if (!/^\.[cm]?tsx?$/.test(extname(file))) return plainRequire(file);
      imports.add(file);
      return this.loadModule(file).exports;
    };
    module.require = Object.assign(localRequire, plainRequire) as NodeJS.Require;
    const host = globalThis as unknown as Record<symbol, unknown>;
    const outer = host[loadingSymbol];
    host[loadingSymbol] = path;
    try {
      module._compile(this.compile(path), path);
      module.loaded = true;
    } catch (error) {
      this.loaded.delete(path);
      throw error;
    } finally {
      host[loadingSymbol] = outer;
    }
    return module;
  }

  private localFile(from: string, specifier: string): string | undefined {
    if (specifier.startsWith(".")) return findFile(resolve(dirname(from), specifier));
    return this.aliases && aliasedFile(specifier, this.aliases);
  }

  private compile(path: string): string {
    // TypeScript is loaded only with the first local file: most notebooks have none, and loading takes 200 ms.
    const ts = load("typescript") as typeof import("typescript");
    const { useNode } = load("../../types/node-host.js") as typeof import("../../types/node-host.js");
    useNode();
    const { ownOptions } = load("../../types/own-options.js") as typeof import("../../types/own-options.js");
    const { emitOptions } = load(
      "../../types/compiler-options.js",
    ) as typeof import("../../types/compiler-options.js");
    this.options ??= emitOptions(ownOptions(this.folder));
    process.setSourceMapsEnabled(true);
    const text = readFileSync(path, "utf8");
    const broken = firstSyntaxError(text, path);
    if (broken) throw placed(broken, path, this.stacks);
    const { outputText, sourceMapText } = ts.transpileModule(text, {
      fileName: path,
      compilerOptions: {
        ...this.options,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        esModuleInterop: true,
        sourceMap: true,
      },
    });
    this.maps.set(path, sourceMapText!);
    const inline = Buffer.from(sourceMapText!).toString("base64");
    return outputText.replace(
      /\/\/# sourceMappingURL=.*\s*$/,
      `//# sourceMappingURL=data:application/json;base64,${inline}`,
    );
  }
}

/** Must be called after V8 has ended a cell, which may have been in a module: nothing that would clean up runs there. */
export function forgetLoading(): void {
  (globalThis as unknown as Record<symbol, unknown>)[loadingSymbol] = undefined;
}

function mtime(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return -1;
  }
}
