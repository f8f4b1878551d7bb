import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Aliases } from "../../../types/compiler-options.js";
import type { Place } from "../../placed.js";
import { aliasedFile } from "../aliases.js";
import { findFile } from "../find-file.js";
import { isOwnPackage, packageName } from "../own-packages.js";
import { packagePath } from "../package-path.js";
import { firstSyntaxError } from "../syntax-errors.js";
import { isPlace, isTypeScript, localPath, localUrl } from "./addresses.js";
import { beginning, beginUrl } from "./beginning.js";
import { compiled, type Dropped } from "./compile.js";

/** Facts that hooks must know before the next import; they come in order. */
export interface HookOrder {
  /** Evaluations of files that are no longer the first. */
  versions?: (readonly [path: string, version: number])[];
  aliases?: Aliases | undefined;
  /** Names that are types alone, though the file that passes them on does not say so. */
  dropped?: readonly [path: string, Dropped];
}

/** Notes of the hooks for the thread that imports. */
export type HookNote =
  | { t: "loaded"; path: string; url: string; stamp: string; digest: string; mappings: string | undefined }
  | { t: "imports"; from: string; specifier: string; to: string }
  | { t: "broken"; path: string; place: Place }
  | { t: "missing"; from: string; specifier: string };

/** The facts that hooks get at their start. */
export interface HookData {
  /** The notebook's folder, whose tsconfig.json shapes the JavaScript. */
  readonly folder: string;
  /** Names of the modules that the session itself provides, with those that they export. */
  readonly provided: Readonly<Record<string, readonly string[]>>;
  /** They serve a thread or a process whose entry is TypeScript, and which no session looks after. */
  readonly isThread?: boolean;
}

export interface Resolved {
  url: string;
  format?: string;
  importAttributes?: Record<string, string>;
  shortCircuit?: boolean;
}

export interface Loaded {
  format: string;
  source?: string | ArrayBuffer | NodeJS.TypedArray | undefined;
  shortCircuit?: boolean;
}

interface ResolveContext {
  conditions: string[];
  importAttributes: Record<string, string>;
  parentURL?: string | undefined;
}

const providedUrl = "turnwise:provided/";
const scripts = /^\.[cm]?js$/;

/**
 * Node's hooks for local modules: files that are reached from a cell, or from the entry of a thread, by their place. They resolve as
 * TypeScript resolves them, are compiled where they have to be, and are loaded again under another address when they have changed.
 * All other modules are Node's own affair.
 */
export class LocalHooks {
  private readonly versions = new Map<string, number>();
  private readonly dropped = new Map<string, Dropped[]>();
  private aliases: Aliases | undefined;

  constructor(
    private readonly data: HookData,
    private readonly note: (note: HookNote) => void,
  ) {}

  obey({ versions = [], dropped, ...rest }: HookOrder): void {
    for (const [path, version] of versions) this.versions.set(path, version);
    if (dropped) this.dropped.set(dropped[0], [...(this.dropped.get(dropped[0]) ?? []), dropped[1]]);
    if ("aliases" in rest) this.aliases = rest.aliases;
  }

  /** Answer to an import that is not Node's affair. */
  resolve(specifier: string, { parentURL }: ResolveContext): Resolved | undefined {
    if (specifier === beginUrl || localPath(specifier) !== undefined)
      return { url: specifier, shortCircuit: true };
    const from = localPath(parentURL);
    if (from === undefined) return parentURL === undefined ? this.entry(specifier) : undefined;
    if (Object.hasOwn(this.data.provided, specifier))
      return { url: providedUrl + specifier, shortCircuit: true };
    const file = this.fileOf(specifier, from);
    if (file === undefined) {
      if (isPlace(specifier)) this.note({ t: "missing", from, specifier });
      return undefined;
    }
    return this.local(file, specifier, from);
  }

  /** The file with which a thread begins. */
  private entry(specifier: string): Resolved | undefined {
    if (!this.data.isThread || !specifier.startsWith("file:")) return undefined;
    const path = fileURLToPath(specifier);
    return isTypeScript(path) ? { url: localUrl(realpathSync(path), 0), shortCircuit: true } : undefined;
  }

  /** Node's answer: a file outside of all packages that only TypeScript can read is a local module, too. */
  resolved(found: Resolved, specifier: string, { parentURL }: ResolveContext): Resolved {
    const from = localPath(parentURL);
    if (from === undefined || !found.url.startsWith("file:")) return found;
    const path = fileURLToPath(found.url);
    const isLocal = isTypeScript(path) || specifier.startsWith("#");
    return isLocal && !path.includes(`${sep}node_modules${sep}`) ? this.local(path, specifier, from) : found;
  }

  /**
   * The next question to Node, if it does not find a module of a package: a path without its extension is looked for as by `require`,
   * and the kernel's own packages are found from anywhere.
   */
  elsewhere<C extends ResolveContext>(
    error: unknown,
    specifier: string,
    context: C,
  ): [string, C] | undefined {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${packageName(specifier)}'`);
    const from = localPath(context.parentURL);
    if (from === undefined) return undefined;
    const path = packagePath(error, specifier, createRequire(from));
    if (path !== undefined) return [path, context];
    if (!missing) return undefined;
    if (!isOwnPackage(specifier)) {
      this.note({ t: "missing", from, specifier });
      return undefined;
    }
    return [specifier, { ...context, parentURL: pathToFileURL(__filename).href }];
  }

  load(url: string): Loaded | undefined {
    if (url === beginUrl) return asModule(beginning);
    if (url.startsWith(providedUrl)) return asModule(this.providing(url.slice(providedUrl.length)));
    const path = localPath(url);
    if (path === undefined || scripts.test(extname(path))) return undefined;
    if (isTypeScript(path)) return this.typescript(path, url);
    return extname(path) === ".json" ? this.json(path, url) : undefined;
  }

  /** Node's answer for a script: an ES module says when it begins and ends. */
  loaded(found: Loaded, url: string): Loaded {
    const path = localPath(url);
    if (path === undefined) return found;
    const source = found.source == null ? undefined : Buffer.from(found.source as string).toString();
    if (found.format !== "module" || source === undefined) {
      this.tell(path, url, undefined);
      return found;
    }
    this.tell(path, url, source, identity(source));
    return { ...found, source: framed(source, url) };
  }

  private local(file: string, specifier: string, from: string): Resolved {
    const to = realpathSync(file);
    this.note({ t: "imports", from, specifier, to });
    // JSON is made a module here, whatever attributes ask for it.
    return { url: localUrl(to, this.versions.get(to) ?? 0), importAttributes: {}, shortCircuit: true };
  }

  private fileOf(specifier: string, from: string): string | undefined {
    return fileOf(specifier, from, this.aliases);
  }

  private typescript(path: string, url: string): Loaded {
    const text = readFileSync(path, "utf8");
    this.tell(path, url, text);
    const made = compiled(text, path, this.data.folder, this.dropped.get(path) ?? []);
    if ("broken" in made) {
      this.note({ t: "broken", path, place: made.broken });
      throw new SyntaxError(`Cannot import ${path}`);
    }
    const { code, mappings, format, lacks } = made;
    this.tell(path, url, text, `;${mappings}`);
    if (format === "commonjs") {
      const end = `globalThis[Symbol.for("turnwise.localModules")]?.end(${JSON.stringify(url)});`;
      return { format, source: `\n${code}\n;${end}`, shortCircuit: true };
    }
    // A thread has no cells, and so none of their names.
    const given = this.data.isThread ? lacks.filter((name) => name !== "Deno") : lacks;
    const source = framed(code, url, given);
    return {
      format,
      source: this.data.isThread ? source + inlineMap(path, mappings) : source,
      shortCircuit: true,
    };
  }

  private json(path: string, url: string): Loaded {
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    this.tell(path, url, text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const place = firstSyntaxError(text, path) ?? { line: 1, column: 1, message: (error as Error).message };
      this.note({ t: "broken", path, place });
      throw error;
    }
    const names =
      typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
    const named = names.filter((name) => name !== "default" && !/\p{Surrogate}/u.test(name));
    const list = named.map((name, i) => `v${i} as ${JSON.stringify(name)}`);
    const values = named.map((name, i) => `const v${i}=value[${JSON.stringify(name)}];`).join("");
    const code = `const value=JSON.parse(${JSON.stringify(text)});export default value;${values}export{${list.join()}};`;
    return asModule(framed(code, url));
  }

  private providing(specifier: string): string {
    const names = (this.data.provided[specifier] ?? []).filter((name) => name !== "default");
    const source = `globalThis[Symbol.for("turnwise.localModules")].provided(${JSON.stringify(specifier)})`;
    const list = names.map((name, i) => `v${i} as ${JSON.stringify(name)}`);
    const values = names.map((name, i) => `,v${i}=value[${JSON.stringify(name)}]`).join("");
    return `const value=${source}${values};export default value;export{${list.join()}};`;
  }

  private tell(path: string, url: string, text?: string, mappings?: string): void {
    this.note({
      t: "loaded",
      path,
      url,
      stamp: stampOf(path),
      digest: digestOf(text ?? readFileSync(path)),
      mappings,
    });
  }
}

/** The local file that a specifier means; undefined for a package, or if the file is not there. */
export function fileOf(specifier: string, from: string, aliases: Aliases | undefined): string | undefined {
  if (!isPlace(specifier)) return aliases && aliasedFile(specifier, aliases);
  if (specifier.startsWith("file:")) return findFile(fileURLToPath(specifier.replace(/[?#].*$/s, "")));
  const path = resolve(dirname(from), specifier);
  return findFile(path) ?? findFile(decoded(path));
}

/** Node takes relative specifiers as addresses, in which `%20` is a space, and what follows a `?` no part of the name. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replace(/[?#].*$/s, ""));
  } catch {
    return path;
  }
}

/** Whether the file may have changed: its times and its size. */
export function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
}

export function digestOf(text: string | Buffer): string {
  return createHash("sha1").update(text).digest("hex");
}

const asModule = (source: string): Loaded => ({ format: "module", source, shortCircuit: true });

/** The code of an ES module, between notes of its beginning and its end; all lines move by one. */
function framed(code: string, url: string, lacks: readonly string[] = []): string {
  const at = JSON.stringify(url);
  const shims = lacks.length > 0 ? `const{${lacks.join()}}=__turnwise_lacked__(${at});` : "";
  const lead = `import{begin as __turnwise_begin__,end as __turnwise_end__,lacked as __turnwise_lacked__}from"${beginUrl}";`;
  // The first line may be one for a shell.
  return `${lead}__turnwise_begin__(import.meta,${at});${shims}\n${code.replace(/^\uFEFF?#!/, "//")}\n;__turnwise_end__(${at});`;
}

/** The source map as V8 and Node read it in the code itself. */
function inlineMap(path: string, mappings: string): string {
  const map = JSON.stringify({
    version: 3,
    sources: [pathToFileURL(path).href],
    names: [],
    mappings: `;${mappings}`,
  });
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`;
}

/** A source map from each line to the one above it. */
function identity(text: string): string {
  return `;AAAA${";AACA".repeat(text.split("\n").length - 1)}`;
}
