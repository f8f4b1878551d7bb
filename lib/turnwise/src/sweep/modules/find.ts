import { path } from "#path";
import { compiledFiles, findFile } from "./compile";
import { loadModules } from "./load";
import { notebookModules, type Namespace } from "./notebook";
import { isReference, mapTree } from "./reference";

/**
 * The modules that options name, and those that the notebook has loaded.
 *
 * @param named files, as the folder `base` finds them
 * @throws {RangeError} if there is no such file
 * @throws {Error} if the top level of one throws
 */
export function modulesFor(
  named: readonly string[],
  base: string,
): { readonly modules: ReadonlyMap<string, Namespace>; readonly files: readonly string[] } {
  const notebook = notebookModules() ?? new Map<string, Namespace>();
  const files = [...new Set(named.map((name) => moduleFile(name, base)))];
  const unknown = files.filter((file) => !notebook.has(file));
  const loaded = unknown.length > 0 ? loadModules({ files: unknown, ...compiledFiles(unknown) }) : [];
  const modules = unknown.length > 0 ? new Map([...notebook, ...loaded]) : notebook;
  return { modules, files };
}

/** The modules that references in options name. */
export function namedIn(options: Readonly<Record<string, unknown>>): readonly string[] {
  const found = new Set<string>();
  mapTree(options, (value) => {
    if (isReference(value)) found.add(value.module);
    return undefined;
  });
  return [...found];
}

function moduleFile(name: string, base: string): string {
  const file = findFile(path.resolve(base, name));
  if (file !== undefined) return file;
  throw new RangeError(`Cannot sweep: the module must be found from ${base}, got "${name}".`);
}
