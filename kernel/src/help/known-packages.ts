/** The packages whose names cells use without having installed them: wherever a notebook is, it finds those beside the kernel. */
export const knownPackages: readonly string[] = ["turnwise", "turnwise-practice", "turnwise-course"];

/** A package.json, as far as its entry points go. */
export interface Manifest {
  readonly name: string;
  readonly types?: string;
  readonly exports?: Readonly<Record<string, { readonly types?: string } | string>>;
}

/** An entry point that a person imports from, such as `turnwise/exact`. */
export interface EntryPoint {
  readonly name: string;
  /** Its declarations, as a path in the package. */
  readonly types: string;
}

/** Entry points for people: patterns are for programs, and so is what a package says is for browsers or has moved. */
const forPrograms = /\*|^\.\/(browser(\/|$)|jobs$)|\/moved\//;

/** The entry points of a package that have types, the root first. */
export function entryPoints({ name, types = "index.d.ts", exports = {} }: Manifest): EntryPoint[] {
  const entries = Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === "object" && entry.types !== undefined ? [[path, entry.types] as const] : [],
  );
  return (entries.length > 0 ? entries : [[".", types] as const])
    .filter(([path, entry]) => !forPrograms.test(path) && !forPrograms.test(entry))
    .map(([path, entry]) => ({ name: name + path.slice(1), types: entry }));
}
