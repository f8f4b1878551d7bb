import { MemoryStore, type FileStore, type PageWorker } from "turnwise/browser";
import type { FileChange } from "../shared/file-messages.js";
import { filesIn } from "./toldStore.js";

/** Files on their way between the worker of cells and one that runs jobs; they come before the job, and before its outcome. */
export interface HandedFiles {
  readonly files: readonly FileChange[];
  /** The folder in which paths begin, as threads of Node share that of their process. */
  readonly folder?: string;
}

export const isHanded = (message: unknown): message is HandedFiles =>
  typeof message === "object" && message !== null && "files" in message;

/** A worker of jobs that has the reader's files as they are when a job begins; what jobs write is written here, too. */
export class HandingWorker implements PageWorker {
  onmessage: PageWorker["onmessage"] = null;
  /** Files of the worker. */
  readonly #given = new Map<string, Uint8Array>();

  constructor(
    private readonly worker: PageWorker,
    private readonly own: () => FileStore,
    private readonly folder: () => string,
  ) {
    worker.onmessage = (event) => {
      if (!isHanded(event.data)) return this.onmessage?.(event);
      for (const [path, bytes] of event.data.files) this.#write(path, bytes);
    };
  }

  get onerror(): PageWorker["onerror"] {
    return this.worker.onerror;
  }

  set onerror(heard: PageWorker["onerror"]) {
    this.worker.onerror = heard;
  }

  postMessage(job: unknown): void {
    const handed: HandedFiles = { files: this.#changed(), folder: this.folder() };
    this.worker.postMessage(handed);
    this.worker.postMessage(job);
  }

  terminate(): void {
    this.worker.terminate();
  }

  #write(path: string, bytes: Uint8Array | undefined): void {
    const store = this.own();
    store.write(path, bytes);
    const kept = store.read(path);
    if (kept) this.#given.set(path, kept);
    else this.#given.delete(path);
  }

  /** Files that a store has replaced: a rewritten file has a new array. */
  #changed(): FileChange[] {
    const store = this.own();
    const now = new Map([...filesIn(store, "/")].map((path) => [path, store.read(path)!]));
    const changes: FileChange[] = [...now].filter(([path, bytes]) => this.#given.get(path) !== bytes);
    for (const path of this.#given.keys()) if (!now.has(path)) changes.push([path, undefined]);
    for (const [path, bytes] of changes) {
      if (bytes) this.#given.set(path, bytes);
      else this.#given.delete(path);
    }
    return changes;
  }
}

/** The files of a worker that runs jobs: those that it is handed, and what it hands on. */
export class HandedStore extends MemoryStore {
  constructor(private readonly send: (message: HandedFiles) => void) {
    super();
  }

  override write(path: string, bytes: Uint8Array | undefined): void {
    super.write(path, bytes);
    this.send({ files: [[path, bytes]] });
  }

  take({ files }: HandedFiles): void {
    for (const [path, bytes] of files) super.write(path, bytes);
  }
}
