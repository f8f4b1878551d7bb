import type { FileChange, FilesHeard, FilesWritten } from "../shared/file-messages.js";
import type { PageFiles } from "./files.js";

/** One worker's side of the page's files. */
export class WorkerFiles {
  private readonly unlisten: () => void;
  private readonly heard: (changes: readonly FileChange[]) => void;
  private stopped = false;

  constructor(
    private readonly files: PageFiles,
    private readonly send: (message: FilesHeard) => void,
  ) {
    this.heard = (changes) => this.send({ changes });
    this.unlisten = files.listen(this.heard);
    void files.ready.then(() => this.tell({ all: files.all() }));
  }

  /** Keeps what cells have written, and tells them when it lasts. */
  write({ serial, changes }: FilesWritten): void {
    this.files.write(changes, this.heard).then(
      () => this.tell({ kept: serial }),
      (error: unknown) =>
        this.tell({ kept: serial, error: error instanceof Error ? error.message : String(error) }),
    );
  }

  stop(): void {
    this.stopped = true;
    this.unlisten();
  }

  private tell(message: FilesHeard): void {
    if (!this.stopped) this.send(message);
  }
}
