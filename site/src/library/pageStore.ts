import { MemoryStore, type FileStore } from "turnwise/browser";
import type { FileChange, FilesHeard, FilesWritten } from "../shared/file-messages.js";

/** A cell that never waits tells the page of its files this often. */
const tellMs = 250;

/** The files that the page keeps, read without waiting: a copy of them in this worker, which the page keeps up to date. */
export class PageStore implements FileStore {
  /** Resolves when the page has told what there is. */
  readonly ready: Promise<void>;
  #isReady: () => void = () => undefined;
  readonly #files = new MemoryStore();
  #untold = new Map<string, Uint8Array | undefined>();
  /** The last writes of files of which the page has not said that they are kept. */
  readonly #unkept = new Map<string, number>();
  readonly #waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  #last: Promise<void> = Promise.resolve();
  #serial = 0;
  #told = 0;

  constructor(private readonly send: (written: FilesWritten) => void) {
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
  }

  read(path: string): Uint8Array | undefined {
    return this.#files.read(path);
  }

  list(folder: string): readonly string[] | undefined {
    return this.#files.list(folder);
  }

  write(path: string, bytes: Uint8Array | undefined): void {
    this.#files.write(path, bytes);
    if (this.#untold.size === 0) queueMicrotask(() => this.#tell());
    this.#untold.set(path, bytes);
    if (Date.now() - this.#told > tellMs) this.#tell();
  }

  settled(): Promise<void> {
    this.#tell();
    return this.#last;
  }

  /** Receives a message of the page. */
  hear(heard: FilesHeard): void {
    if ("kept" in heard) return this.#kept(heard.kept, heard.error);
    for (const [path, bytes] of "all" in heard ? heard.all : heard.changes) this.#take(path, bytes);
    if ("all" in heard) this.#isReady();
  }

  /** Takes files, those that this worker has written last. */
  #take(...[path, bytes]: FileChange): void {
    if (!this.#untold.has(path) && !this.#unkept.has(path)) this.#files.write(path, bytes);
  }

  #tell(): void {
    if (this.#untold.size === 0) return;
    const changes = [...this.#untold];
    const serial = ++this.#serial;
    this.#untold = new Map();
    this.#told = Date.now();
    for (const [path] of changes) this.#unkept.set(path, serial);
    const before = this.#last;
    const kept = new Promise<void>((resolve, reject) => this.#waiting.set(serial, { resolve, reject }));
    this.#last = Promise.all([before.catch(() => undefined), kept]).then(() => undefined);
    // Whoever waits hears of a failure; nobody need wait.
    this.#last.catch(() => undefined);
    this.send({ serial, changes });
  }

  #kept(serial: number, error: string | undefined): void {
    for (const [path, one] of this.#unkept) if (one === serial) this.#unkept.delete(path);
    const { resolve, reject } = this.#waiting.get(serial)!;
    this.#waiting.delete(serial);
    if (error === undefined) resolve();
    else reject(new RangeError(`Cannot keep files: the browser must have room and leave for them: ${error}`));
  }
}
