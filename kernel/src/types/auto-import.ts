import ts from "typescript";
import { declaredExports, type Find } from "./declared-exports.js";
import type { Completions, Importable } from "./engine.js";
import { host } from "./host.js";
import { knownEntryPoints } from "./known-entry-points.js";
import { nodeImports } from "./node-imports.js";

/** Fewer letters begin too many names. */
const shortest = 3;
/** As many as one looks through. */
const most = 20;

/** The names that a cell could import: those of the packages that declare `jupyterKernel`, of Node, and of the packages that the notebook's folder depends on. */
export class AutoImports {
  /** Exports of each module, by its file and version. */
  private readonly exported = new Map<string, ReadonlySet<string>>();
  private entries: readonly string[] | undefined;

  constructor(
    private readonly cwd: string,
    private readonly find: Find,
  ) {}

  /**
   * Exports that begin with these letters, one import for a name: of several modules that have it, the one that cells
   * most likely want.
   */
  starting(typed: string): Importable[] {
    if (typed.length < shortest) return [];
    const found = new Map<string, string>();
    const note = (name: string, statement: string): void => {
      if (name.startsWith(typed) && !found.has(name)) found.set(name, statement);
    };
    const noteAll = (specifier: string): void => {
      for (const name of this.exportsOf(specifier))
        if (name !== "default") note(name, `import { ${name} } from ${JSON.stringify(specifier)}`);
    };
    for (const entry of (this.entries ??= knownEntryPoints(this.cwd))) noteAll(entry);
    for (const [name, statement] of nodeImports(typed)) note(name, statement);
    for (const specifier of this.packages()) {
      const whole = nameOf(specifier);
      const names = this.exportsOf(specifier);
      const bound = names.has("default") ? whole : `* as ${whole}`;
      if (names.size > 0) note(whole, `import ${bound} from ${JSON.stringify(specifier)}`);
      noteAll(specifier);
    }
    return [...found]
      .map(([name, statement]) => ({ name, statement }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, most);
  }

  private exportsOf(specifier: string): ReadonlySet<string> {
    const path = this.find(specifier, host().files.path.join(this.cwd, "cell.ts"));
    if (path === undefined || !/\.[cm]?ts$/.test(path)) return new Set();
    const key = `${path} ${host().files.version(path)}`;
    const known = this.exported.get(key) ?? declaredExports(path, this.find);
    this.exported.set(key, known);
    return known;
  }

  /** Dependencies in the package.json of the nearest folder that has one. */
  private packages(): string[] {
    const { files } = host();
    const { path } = files;
    for (let folder = this.cwd; ; folder = path.dirname(folder)) {
      const text = files.read(path.join(folder, "package.json"));
      if (text !== undefined) return dependencies(text);
      if (path.dirname(folder) === folder) return [];
    }
  }
}

function dependencies(manifest: string): string[] {
  try {
    return Object.keys((JSON.parse(manifest) as { dependencies?: object }).dependencies ?? {});
  } catch {
    // It is just being written, or broken: npm will say so.
    return [];
  }
}

/** `lodashEs` of `lodash-es`, `client` of `@scope/client`. */
function nameOf(specifier: string): string {
  const last = specifier.slice(specifier.lastIndexOf("/") + 1);
  return last.replace(/[^\p{ID_Continue}$]+(\p{ID_Continue})?/gu, (_, next?: string) =>
    (next ?? "").toUpperCase(),
  );
}

/** Each name together with its import: the text of the cell from there to the cursor goes in between. */
export function withImports(
  found: Completions,
  imports: readonly Importable[],
  code: string,
  source: string,
): Completions {
  const place = importPlace(source, found.end);
  if (place === undefined) return found;
  const between = code.slice(place, found.start);
  const items = imports.map(({ name, statement }) => ({
    text: `${statement}\n${between}${name}`,
    kind: "import",
  }));
  return { start: place, end: found.end, items };
}

/**
 * The place in a cell where an import for a name can stand: before the statement of the top level that the name is in. All that a
 * front end can do with a completion is to replace one stretch of text up to the cursor, so the nearer the better; Visual Studio
 * Code wants that to be in the cursor's line.
 */
function importPlace(source: string, offset: number): number | undefined {
  const file = ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ESNext, true);
  const statement = file.statements.find((one) => one.pos <= offset && offset <= one.end);
  if (!statement || ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) return undefined;
  const start = statement.getStart(file, true);
  // What stands before it in its line goes with it.
  const line = source.lastIndexOf("\n", start - 1) + 1;
  return source.slice(line, start).trim() === "" ? line : start;
}
