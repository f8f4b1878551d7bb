import { namesIn, type FileStore } from "./store";

/** The part of IndexedDB that is used: the library is compiled with the types of Node's globals only. */
interface Request<T> {
  readonly result: T;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface Table {
  put(value: Uint8Array, key: string): unknown;
  delete(key: string): unknown;
  getAll(): Request<Uint8Array[]>;
  getAllKeys(): Request<string[]>;
}

interface Transaction {
  objectStore(name: string): Table;
  readonly error: unknown;
  oncomplete: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
}

interface Database {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: "readonly" | "readwrite"): Transaction;
  close(): void;
}

interface Api {
  open(name: string, version: number): Request<Database> & { onupgradeneeded: (() => void) | null };
}

const TABLE = "files";

/** Files that survive a reload of the page. */
export interface KeptFiles extends FileStore {
  close(): void;
}

/**
 * Files in the browser's database. All are read at the start, so that later reads need not wait; each is written whole, in the
 * order of the calls.
 *
 * @param name of the database; pages of one origin share it
 * @throws {RangeError} if the browser keeps nothing, as in some private windows
 */
export async function keptFiles(name = "turnwise-files"): Promise<KeptFiles> {
  const { indexedDB } = globalThis as { indexedDB?: Api };
  if (!indexedDB) throw refused("it has no database");
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
  const database = await answer(opening).catch((error: unknown) => {
    throw refused(error instanceof Error ? error.message : String(error), error);
  });
  const table = database.transaction(TABLE, "readonly").objectStore(TABLE);
  const [paths, contents] = await Promise.all([answer(table.getAllKeys()), answer(table.getAll())]);
  return new DatabaseStore(database, new Map(paths.map((path, i) => [path, contents[i]!])));
}

function refused(why: string, cause?: unknown): RangeError {
  return new RangeError(`Cannot keep files: the browser must have a place for them: ${why}`, { cause });
}

function answer<T>(request: Request<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as Error);
  });
}

class DatabaseStore implements KeptFiles {
  #pending = new Map<string, Uint8Array | undefined>();
  #writing: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly files: Map<string, Uint8Array>,
  ) {}

  read(path: string): Uint8Array | undefined {
    return this.files.get(path);
  }

  list(folder: string): readonly string[] | undefined {
    return namesIn(this.files.keys(), folder);
  }

  write(path: string, bytes: Uint8Array | undefined): void {
    if (bytes) this.files.set(path, bytes);
    else this.files.delete(path);
    this.#pending.set(path, bytes);
    // What is written in one go, such as a file and its new name, is kept whole or not at all.
    this.#writing ??= Promise.resolve().then(() => this.#write());
    // Whoever waits hears of a failure; nobody need wait.
    this.#writing.catch(() => undefined);
  }

  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  close(): void {
    this.database.close();
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending.size > 0) {
        const files = this.#pending;
        this.#pending = new Map();
        await this.#transact(files);
      }
    } finally {
      this.#writing = undefined;
    }
  }

  #transact(files: ReadonlyMap<string, Uint8Array | undefined>): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(TABLE, "readwrite");
      const failed = (): void =>
        reject(
          new RangeError(
            `Cannot keep files: the browser must have room for them: ${String(transaction.error)}`,
          ),
        );
      transaction.oncomplete = () => resolve();
      transaction.onerror = failed;
      transaction.onabort = failed;
      const table = transaction.objectStore(TABLE);
      for (const [path, bytes] of files) {
        if (bytes) table.put(bytes, path);
        else table.delete(path);
      }
    });
  }
}
