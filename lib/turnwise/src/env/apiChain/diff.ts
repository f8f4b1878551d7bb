/** One place of a database that changed. */
export interface Change {
  readonly path: string;
  /** undefined for what was not there. */
  readonly before: unknown;
  /** undefined for what is gone. */
  readonly after: unknown;
}

/** Every leaf in which two databases differ, in order of path. Databases are plain JSON data. */
export function databaseDiff(before: unknown, after: unknown): Change[] {
  const old = leaves(before);
  const now = leaves(after);
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  return paths
    .filter((path) => old.get(path) !== now.get(path))
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }));
}

function leaves(value: unknown, path = "", into = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== "object" || value === null) return into.set(path, value);
  for (const [key, inner] of Object.entries(value)) leaves(inner, path ? `${path}.${key}` : key, into);
  return into;
}

/** True if the work changed exactly what it should have changed: nothing is missing, nothing else was touched. */
export function sameChanges(a: readonly Change[], b: readonly Change[]): boolean {
  return JSON.stringify(a.map(entry)) === JSON.stringify(b.map(entry));
}

function entry({ path, before, after }: Change): unknown[] {
  return [path, before === undefined ? "absent" : [before], after === undefined ? "absent" : [after]];
}
