import type { Stacks } from "turnwise-kernel/internal/session/stacks";
import { fileFor } from "turnwise-kernel/internal/session/file-for";
import { placed } from "turnwise-kernel/internal/session/placed";
import { posixPaths } from "turnwise-kernel/internal/types/posix-paths";
import type { PositionMap } from "turnwise-kernel/internal/types/transform/edits";
import { Broken, type CompiledFiles } from "./compiled.js";
import { isFile, textOf } from "./module-file.js";

type Namespace = Record<string, unknown>;

interface Loaded {
  readonly text: string | undefined;
  readonly module: { exports: Namespace };
  /** The local files that it imports. */
  readonly imports: Set<string>;
  whole: boolean;
}

/** Modules that are no files, such as those of the library. */
export interface OtherModules {
  /** Resolves when `require` can give the module at once. */
  prepare(name: string): Promise<unknown>;
  require(name: string): unknown;
}

/** While a module is evaluated, its file: what it registers with a library is then known to come from there. */
const loadingSymbol = Symbol.for("turnwise.loading");
const scope = globalThis as unknown as Record<symbol, unknown>;

// Indirect, so that a module sees global names alone.
const evaluate = eval;

/** Local files of a notebook in a page, compiled when they are imported, and again when they have changed. */
export class LocalFiles {
  /** Text of each file that was run last, even if it has thrown. */
  private readonly texts = new Map<string, string>();
  private readonly loaded = new Map<string, Loaded>();

  constructor(
    private readonly compiled: CompiledFiles,
    private readonly others: OtherModules,
    private readonly stacks: Stacks,
  ) {}

  /** Source map of a file's JavaScript. */
  readonly mapOf = (path: string): PositionMap | undefined => {
    const text = this.texts.get(path);
    return text === undefined ? undefined : this.compiled.of(text, path).map;
  };

  /** Resolves when a file, and all that it imports, can be loaded at once. */
  async ready(path: string): Promise<void> {
    const order = new Set<string>();
    await this.prepare(path, order);
    if (![...order].some((file) => this.waits(file))) return;
    // As ES modules do it: each behind those that it imports, and nothing before what it waits for is there.
    this.forgetStale();
    for (const file of order) {
      if (this.waits(file)) await this.loadWaiting(file);
      else this.loadFile(file);
    }
  }

  /** The exports of a file; it is loaded afresh if it, or a file that it imports, has changed. */
  load(path: string): Namespace {
    this.forgetStale();
    return this.loadFile(path).exports;
  }

  /** Whether `load` would give something else than `exports`. */
  changed(path: string, exports: Namespace): boolean {
    return this.isStale(path) || this.loaded.get(path)!.module.exports !== exports;
  }

  has(path: string): boolean {
    return this.loaded.has(path);
  }

  /** @param order gets the files of which a file consists, itself last */
  private async prepare(path: string, order: Set<string>, seen = new Set<string>()): Promise<void> {
    const text = textOf(path);
    if (text === undefined || seen.has(path) || path.endsWith(".json")) return;
    seen.add(path);
    for (const name of this.placing(path, () => this.compiled.imports(text, path))) {
      const file = found(path, name);
      if (file !== undefined) await this.prepare(file, order, seen);
      else if (!name.startsWith(".")) await this.others.prepare(name);
    }
    order.add(path);
  }

  private waits(path: string): boolean {
    const text = textOf(path);
    return text !== undefined && this.compiled.of(text, path).waits === true;
  }

  private forgetStale(): void {
    const stale = [...this.loaded].filter(([file, { whole }]) => !whole || this.isStale(file));
    for (const [file] of stale) this.loaded.delete(file);
  }

  private isStale(path: string, seen = new Set<string>()): boolean {
    const known = this.loaded.get(path);
    if (!known || textOf(path) !== known.text) return true;
    seen.add(path);
    return [...known.imports].some((file) => !seen.has(file) && this.isStale(file, seen));
  }

  private loadFile(path: string): { exports: Namespace } {
    const known = this.loaded.get(path);
    if (known) return known.module;
    const entry = this.begin(path);
    const { module } = entry;
    const outer = scope[loadingSymbol];
    scope[loadingSymbol] = path;
    try {
      if (path.endsWith(".json")) module.exports = JSON.parse(entry.text ?? "") as Namespace;
      else if (this.waits(path)) throw mustWait(path);
      else this.run(path, entry);
      entry.whole = true;
    } catch (error) {
      this.loaded.delete(path);
      throw error;
    } finally {
      scope[loadingSymbol] = outer;
    }
    return module;
  }

  private async loadWaiting(path: string): Promise<void> {
    if (this.loaded.has(path)) return;
    const entry = this.begin(path);
    const outer = scope[loadingSymbol];
    scope[loadingSymbol] = path;
    try {
      await this.run(path, entry, "async ");
      entry.whole = true;
    } catch (error) {
      this.loaded.delete(path);
      throw error;
    } finally {
      scope[loadingSymbol] = outer;
    }
  }

  private begin(path: string): Loaded {
    const entry = { text: textOf(path), module: { exports: {} }, imports: new Set<string>(), whole: false };
    this.loaded.set(path, entry);
    return entry;
  }

  private run(path: string, { text = "", module, imports }: Loaded, kind: "" | "async " = ""): unknown {
    const require = (name: string): unknown => {
      const file = found(path, name);
      if (file === undefined) return this.others.require(name);
      imports.add(file);
      return this.loadFile(file).exports;
    };
    const { code } = this.placing(path, () => this.compiled.of(text, path));
    this.texts.set(path, text);
    const body = `(${kind}function(exports,require,module,__filename,__dirname){${code}\n})\n//# sourceURL=${path}`;
    const run = evaluate(body) as (...given: unknown[]) => unknown;
    return run(module.exports, require, module, path, posixPaths.dirname(path));
  }

  private placing<T>(path: string, run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw error instanceof Broken ? placed(error.at, path, this.stacks) : error;
    }
  }
}

const mustWait = (path: string): Error =>
  new Error(
    `Cannot load ${path} at once: it must not await at its top level. ` +
      "Import it in a cell, and not in a circle of files.",
  );

function found(from: string, name: string): string | undefined {
  return name.startsWith(".")
    ? fileFor(posixPaths.resolve(posixPaths.dirname(from), name), isFile)
    : undefined;
}
