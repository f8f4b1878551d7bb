import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, sep } from "node:path";
import type { Aliases } from "../../../types/compiler-options.js";
import { decodeSourceMap } from "../../../types/transform/sourcemap.js";
import type { PositionMap } from "../../../types/transform/edits.js";
import { placed } from "../../placed.js";
import type { Stacks } from "../../stacks.js";
import { asPlaced } from "../syntax-errors.js";
import { installHint } from "../../../types/install-hint.js";
import { localPath, localUrl, real } from "./addresses.js";
import { missingName } from "./missing-name.js";
import { requireOf } from "./require-of.js";
import { digestOf, fileOf, stampOf, type HookNote } from "./hooks.js";
import { installHooks, type Installed } from "./install-hooks.js";

type Namespace = Record<string, unknown>;

/** The last evaluation of a file. */
interface Known {
  url: string;
  stamp: string;
  digest: string;
  /** The files that it imports, by the specifiers it names them by. */
  readonly imports: Map<string, string>;
  /** It has run to its end. */
  ended: boolean;
}

/** While a module is evaluated, its file: what it registers with a library is then known to come from there. */
const loadingSymbol = Symbol.for("turnwise.loading");
/** Key under which the code of local modules finds this thread's registry of them. */
const registrySymbol = Symbol.for("turnwise.localModules");
const mostRetries = 100;

const globals = globalThis as unknown as Record<symbol, unknown>;

/**
 * The local files that cells import, as modules of Node: a cell, a package and they themselves get the same ones. At each import by
 * a cell, those that have changed since, and those that import them, are evaluated again; all others stay as they are.
 */
export class LocalModules {
  private readonly known = new Map<string, Known>();
  private readonly versions = new Map<string, number>();
  /** The source map of each module: as text, until a stack needs it. */
  private readonly maps = new Map<string, string | PositionMap>();
  private readonly begun: { url: string; outer: unknown }[] = [];
  private hooks: Installed | undefined;
  private aliases: Aliases | undefined;
  private broken: Extract<HookNote, { t: "broken" }> | undefined;
  private missing: Extract<HookNote, { t: "missing" }> | undefined;
  /** Imports under way: a module that has not ended may still do so. */
  private underway = 0;
  /** Counts the cells that V8 has ended: an import that was under way in one never tells. */
  private generation = 0;
  private readonly droppedNames = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly stacks: Stacks,
    private readonly provided: Record<string, () => Namespace>,
    private readonly native: (specifier: string) => Promise<Namespace>,
  ) {}

  /** Names of modules that mean local files, from now on. */
  useAliases(aliases: Aliases | undefined): void {
    if (JSON.stringify(aliases) === JSON.stringify(this.aliases)) return;
    this.aliases = aliases;
    this.hooks?.order({ aliases });
  }

  /** Source map of a module's JavaScript, by its address. */
  mapOf(url: string): PositionMap | undefined {
    const map = this.maps.get(url);
    if (typeof map !== "string") return map;
    const decoded = decodeSourceMap(map);
    this.maps.set(url, decoded);
    return decoded;
  }

  has(path: string): boolean {
    return this.known.has(real(path));
  }

  /** Whether an import of the file would evaluate it again. */
  changed(path: string): boolean {
    const file = real(path);
    return !this.known.has(file) || this.stale().has(file);
  }

  /** The namespace of a file, as Node gives it. */
  async load(path: string): Promise<Namespace> {
    const file = real(path);
    this.hooks ??= this.start();
    this.refresh();
    this.underway++;
    const generation = this.generation;
    try {
      for (let tries = 0; ; tries++) {
        this.broken = this.missing = undefined;
        try {
          const namespace = await this.native(localUrl(file, this.versions.get(file) ?? 0));
          this.hear();
          return namespace;
        } catch (error) {
          this.hear();
          if (tries === mostRetries || !this.withoutType(error)) throw this.explained(error, file);
        }
      }
    } finally {
      this.noteCommonJs();
      if (generation === this.generation) {
        this.underway--;
        if (this.underway === 0) this.forgetBegun();
      }
    }
  }

  /** V8 has ended a cell, maybe while a module was loading, where nothing that would clean up runs. */
  readonly forgetLoading = (): void => {
    this.generation++;
    this.underway = 0;
    this.forgetBegun();
  };

  private forgetBegun(): void {
    this.begun.length = 0;
    globals[loadingSymbol] = undefined;
  }

  private start(): Installed {
    const names = Object.entries(this.provided).map(([name, give]) => [name, Object.keys(give())] as const);
    Object.defineProperty(globalThis, registrySymbol, {
      value: {
        begin: (url: string) => {
          this.begun.push({ url, outer: globals[loadingSymbol] });
          globals[loadingSymbol] = localPath(url);
        },
        end: (url: string) => this.end(url),
        provided: (name: string) => this.provided[name]!(),
        require: requireOf,
      },
      configurable: true,
    });
    const hooks = installHooks({ folder: this.folder, provided: Object.fromEntries(names) });
    if (this.aliases) hooks.order({ aliases: this.aliases });
    return hooks;
  }

  private end(url: string): void {
    const at = this.begun.findLastIndex((one) => one.url === url);
    if (at >= 0) globals[loadingSymbol] = this.begun.splice(at)[0]!.outer;
    this.hear();
    const known = this.known.get(localPath(url)!);
    if (known?.url === url) known.ended = true;
  }

  private hear(): void {
    for (const note of this.hooks?.notes() ?? []) {
      switch (note.t) {
        case "loaded": {
          const { url, stamp, digest, mappings } = note;
          if (mappings !== undefined) this.maps.set(url, mappings);
          const imports = this.of(note.path).imports;
          // Nothing of it runs; all others say when they end, but for CommonJS modules, whose end Node's cache knows.
          const ended = extname(note.path) === ".json";
          this.known.set(note.path, { url, stamp, digest, imports, ended });
          break;
        }
        case "imports":
          this.of(note.from).imports.set(note.specifier, note.to);
          break;
        case "broken":
          this.broken ??= note;
          break;
        case "missing":
          this.missing ??= note;
          break;
        default:
          note satisfies never;
      }
    }
  }

  private of(path: string): Known {
    const known = this.known.get(path);
    if (known) return known;
    const fresh = { url: "", stamp: "", digest: "", imports: new Map<string, string>(), ended: false };
    this.known.set(path, fresh);
    return fresh;
  }

  /** Gives a new address to all that has to be evaluated again. */
  private refresh(): void {
    const stale = this.stale();
    for (const path of stale) {
      const known = this.known.get(path)!;
      this.known.delete(path);
      Reflect.deleteProperty(createRequire(__filename).cache, path);
      // Nothing was loaded under this address yet.
      if (known.url === "") continue;
      this.versions.set(path, (this.versions.get(path) ?? 0) + 1);
    }
    if (stale.size > 0)
      this.hooks!.order({ versions: [...stale].map((path) => [path, this.versions.get(path) ?? 0]) });
  }

  /** Notes what CommonJS modules require, which no hook hears of. */
  private noteCommonJs(): void {
    this.hear();
    const { cache } = createRequire(__filename);
    const seen = new Set<string>();
    const visit = (module: NodeModule): void => {
      if (seen.has(module.filename) || module.filename.includes(`${sep}node_modules${sep}`)) return;
      seen.add(module.filename);
      const known = this.of(module.filename);
      if (known.stamp === "" && existsSync(module.filename)) {
        known.stamp = stampOf(module.filename);
        known.digest = digestOf(readFileSync(module.filename));
      }
      known.ended = module.loaded;
      for (const child of module.children) {
        if (!child.filename.includes(`${sep}node_modules${sep}`))
          known.imports.set(child.filename, child.filename);
        visit(child);
      }
    };
    for (const path of [...this.known.keys()]) {
      const module = cache[path];
      if (module) visit(module);
    }
  }

  /** The files whose last evaluation counts no more: they have changed, have failed, or import such a one. */
  private stale(): Set<string> {
    this.noteCommonJs();
    const stale = new Set(
      [...this.known].flatMap(([path, known]) => (this.isStale(path, known) ? [path] : [])),
    );
    for (let before = -1; before !== stale.size;) {
      before = stale.size;
      for (const [path, { imports }] of this.known)
        if ([...imports.values()].some((one) => stale.has(one))) stale.add(path);
    }
    return stale;
  }

  private isStale(path: string, known: Known): boolean {
    if (!known.ended && this.underway === 0) return true;
    if (known.url === "" && known.stamp === "") return false;
    const stamp = stampOf(path);
    if (stamp !== known.stamp) {
      if (!existsSync(path) || digestOf(readFileSync(path)) !== known.digest) return true;
      known.stamp = stamp;
    }
    for (const [specifier, to] of known.imports) {
      if (specifier === to) continue;
      const file = fileOf(specifier, path, this.aliases);
      if (file !== undefined && real(file) !== to) return true;
    }
    return false;
  }

  /** Whether an import failed as a file passes a type on like a value: TypeScript, file by file, cannot tell them apart. */
  private withoutType(error: unknown): boolean {
    const found = missingName(error);
    if (!found || !this.known.has(found.path)) return false;
    const { path, specifier, name } = found;
    const key = JSON.stringify([path, specifier, name]);
    if (this.droppedNames.has(key)) return false;
    this.droppedNames.add(key);
    this.hooks!.order({ dropped: [path, { specifier, name }] });
    this.underway--;
    this.refresh();
    this.underway++;
    return true;
  }

  /** An error of loading, at its place in a file of the user's. */
  private explained(error: unknown, file: string): unknown {
    if (this.broken) return placed(this.broken.place, this.broken.path, this.stacks);
    if (this.missing && (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") {
      const { from, specifier } = this.missing;
      const before = readFileSync(from, "utf8").split(specifier)[0]!.split("\n");
      const told = new Error(
        `Cannot find module '${specifier}' imported from ${from}.${installHint(specifier)}`,
      );
      Object.assign(told, { code: "ERR_MODULE_NOT_FOUND" });
      return this.stacks.at(told, from, before.length, before.at(-1)!.length);
    }
    return asPlaced(error, file, this.stacks);
  }
}
