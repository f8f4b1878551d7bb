import type { FileStore } from "./store";

/** Files to read beneath files to write: what is written hides what lies beneath, and what is removed stays hidden. */
export class LayeredStore implements FileStore {
  readonly #removed = new Set<string>();

  constructor(
    private readonly above: FileStore,
    private readonly beneath: Pick<FileStore, "read" | "list">,
  ) {}

  read(path: string): Uint8Array | undefined {
    return this.above.read(path) ?? (this.#removed.has(path) ? undefined : this.beneath.read(path));
  }

  list(folder: string): readonly string[] | undefined {
    const [own, given] = [this.above.list(folder), this.beneath.list(folder)];
    if (!own && !given) return undefined;
    const start = folder.endsWith("/") ? folder : `${folder}/`;
    const shown = (given ?? []).filter((name) => !this.#removed.has(start + name));
    return [...new Set([...(own ?? []), ...shown])].sort();
  }

  write(path: string, bytes: Uint8Array | undefined): void {
    if (bytes) this.#removed.delete(path);
    else this.#removed.add(path);
    this.above.write(path, bytes);
  }

  settled(): Promise<void> {
    return this.above.settled();
  }
}
