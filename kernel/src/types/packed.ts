import type { Files, Host } from "./host.js";
import { posixPaths } from "./posix-paths.js";

/** Declarations in one file, as `npm run site` packs them. */
export interface Packed {
  /** The text of each file by its path; all paths begin with `packedRoot`. */
  readonly files: Readonly<Record<string, string>>;
  /** Node's own modules; for those that a browser has a stand-in of, what they export. */
  readonly builtins: Readonly<Record<string, readonly string[]>>;
}

/** The folder in which all packed files lie, a name that no notebook's folder has. */
export const packedRoot = "/turnwise-packed";
const packages = `${packedRoot}/node_modules`;

/** Places of the packages of the declarations, for a host. */
export const packedPlaces: Pick<Host, "standardLibraries" | "kernel" | "typeRoot"> = {
  standardLibraries: () => `${packages}/typescript/lib`,
  kernel: () => `${packages}/turnwise-kernel/dist`,
  typeRoot: () => `${packages}/@types`,
};

/** Facts of a host about Node's own modules, from the packed file alone. */
export function packedBuiltins({ builtins }: Packed): Pick<Host, "isBuiltin" | "builtinNames"> {
  const bare = (module: string): string => module.replace(/^node:/, "");
  return {
    isBuiltin: (module) => Object.hasOwn(builtins, bare(module)),
    builtinNames: (module) => [...(builtins[bare(module)] ?? [])],
  };
}

/** The packed declarations, and beside them the notebook's own files; of these, none that belongs to a package. */
export class PackedFiles implements Files {
  readonly path = posixPaths;
  /** The names of the folders in each folder. */
  private readonly tree = new Map<string, Set<string>>();
  readonly digest: Files["digest"];

  constructor(
    private readonly packed: Packed["files"],
    private readonly beside: Files | undefined,
    digest: Files["digest"],
  ) {
    this.digest = digest;
    for (const file of Object.keys(packed)) this.addFolder(posixPaths.dirname(file));
  }

  exists(path: string): boolean {
    return this.isPacked(path)
      ? Object.hasOwn(this.packed, path)
      : (this.notebook(path)?.exists(path) ?? false);
  }

  read(path: string): string | undefined {
    return this.isPacked(path) ? this.packed[path] : this.notebook(path)?.read(path);
  }

  kind(path: string): ReturnType<Files["kind"]> {
    if (!this.isPacked(path)) return this.notebook(path)?.kind(path);
    return this.exists(path) ? "file" : this.tree.has(path) ? "folder" : undefined;
  }

  hasFolder(path: string): boolean {
    return this.isPacked(path) ? this.tree.has(path) : (this.notebook(path)?.hasFolder(path) ?? false);
  }

  folders(path: string): string[] {
    return this.isPacked(path)
      ? [...(this.tree.get(path) ?? [])]
      : (this.notebook(path)
          ?.folders(path)
          .filter((name) => name !== "node_modules") ?? []);
  }

  list(...args: Parameters<Files["list"]>): string[] {
    return this.isPacked(args[0]) ? [] : [...(this.notebook(args[0])?.list(...args) ?? [])];
  }

  version(path: string): string {
    if (!this.isPacked(path)) return this.notebook(path)?.version(path) ?? "none";
    return Object.hasOwn(this.packed, path) ? "packed" : "none";
  }

  real(path: string): string {
    return this.isPacked(path) ? path : (this.notebook(path)?.real(path) ?? path);
  }

  private isPacked(path: string): boolean {
    return path.startsWith(packedRoot);
  }

  private notebook(path: string): Files | undefined {
    return path.includes("/node_modules") ? undefined : this.beside;
  }

  private addFolder(folder: string): void {
    if (this.tree.has(folder)) return;
    this.tree.set(folder, new Set());
    const above = posixPaths.dirname(folder);
    if (above === folder) return;
    this.addFolder(above);
    this.tree.get(above)!.add(posixPaths.basename(folder));
  }
}
