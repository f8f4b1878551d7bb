import type { FileStore } from "turnwise/browser";
import type { GivenFile } from "./messages";

/** Reads a piece of a file at once, as workers may. */
export type ReadPiece = (piece: Blob) => Uint8Array;

/** The reader's files as a store of the library: they are read in pieces, and never written. */
export class GivenFiles implements FileStore {
  readonly #files = new Map<string, Blob>();
  readonly #folders = new Map<string, Set<string>>([["/", new Set()]]);
  readonly pieces: NonNullable<FileStore["pieces"]>;

  /** @param onRead hears of each piece: how far the reading of its file is */
  constructor(
    files: readonly GivenFile[],
    private readonly readPiece: ReadPiece,
    onRead: (path: string, read: number, size: number) => void = () => undefined,
  ) {
    for (const { path, file } of files) this.add(`/${path}`, file);
    this.pieces = {
      size: (path) => this.#files.get(path)?.size,
      part: (path, from, to) => {
        const file = this.#files.get(path)!;
        const bytes = this.#bytes(path, file.slice(from, to));
        onRead(path.slice(1), Math.min(to, file.size), file.size);
        return bytes;
      },
    };
  }

  add(path: string, file: Blob): void {
    this.#files.set(path, file);
    for (let at = path.lastIndexOf("/"), name = path.slice(at + 1); ;) {
      const folder = path.slice(0, at) || "/";
      const names = this.#folders.get(folder) ?? new Set();
      this.#folders.set(folder, names.add(name));
      if (at <= 0) return;
      const above = path.lastIndexOf("/", at - 1);
      name = `${path.slice(above + 1, at)}/`;
      at = above;
    }
  }

  read(path: string): Uint8Array | undefined {
    const file = this.#files.get(path);
    return file && this.#bytes(path, file);
  }

  list(folder: string): readonly string[] | undefined {
    const names = this.#folders.get(folder);
    return names && [...names].sort();
  }

  write(path: string): never {
    throw new RangeError(`Cannot write ${path}: the files of this page are only read.`);
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }

  #bytes(path: string, piece: Blob): Uint8Array {
    try {
      return this.readPiece(piece);
    } catch (error) {
      throw new RangeError(
        `Cannot read ${path.slice(1)}: the browser must still be allowed to read it (${(error as Error).message}). ` +
          `It may have changed since it was given: give it again.`,
        { cause: error },
      );
    }
  }
}
