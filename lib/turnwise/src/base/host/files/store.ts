/** Storage of files in a browser. Paths are absolute, with "/" and without ".."; folders are there as long as files are in them. */
export interface FileStore {
  /** The bytes of a file, at once; undefined if there is none. */
  read(path: string): Uint8Array | undefined;
  /** The names in a folder, those of folders with "/" at the end; undefined if there is no such folder. */
  list(folder: string): readonly string[] | undefined;
  /** Writes a file whole, or removes it; later reads see it at once. */
  write(path: string, bytes: Uint8Array | undefined): void;
  /** Resolves when all that was written survives a reload, as far as this store can. */
  settled(): Promise<void>;
  /** The number of bytes of a file, and some of them, of a store whose files may be larger than the memory. Default: by `read`. */
  readonly pieces?: FilePieces;
}

/** Access to files that are not read whole. */
export interface FilePieces {
  /** The number of bytes of a file; undefined if there is none. */
  size(path: string): number | undefined;
  /** The bytes from one place to another, or fewer at its end. */
  part(path: string, from: number, to: number): Uint8Array;
}

/** Files that are gone with the page. */
export class MemoryStore implements FileStore {
  readonly #files = new Map<string, Uint8Array>();

  constructor(files: Iterable<readonly [path: string, content: string | Uint8Array]> = []) {
    for (const [path, content] of files) this.write(path, bytesOf(content));
  }

  read(path: string): Uint8Array | undefined {
    return this.#files.get(path);
  }

  list(folder: string): readonly string[] | undefined {
    return namesIn(this.#files.keys(), folder);
  }

  write(path: string, bytes: Uint8Array | undefined): void {
    if (bytes) this.#files.set(path, bytes);
    else this.#files.delete(path);
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }
}

/** The names right below a folder; undefined if there are none. */
export function namesIn(paths: Iterable<string>, folder: string): readonly string[] | undefined {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  const names = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(start)) continue;
    const [name, below] = path.slice(start.length).split("/");
    names.add(below === undefined ? name! : `${name}/`);
  }
  return names.size > 0 || folder === "/" ? [...names].sort() : undefined;
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
}
