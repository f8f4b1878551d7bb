import type { Session, SessionEvents } from "turnwise-kernel/internal/front/host";
import type { JsonObject } from "turnwise-kernel/internal/protocol/message";
import type {
  ControlCommand,
  ControlReport,
  SessionCommand,
  SessionReport,
} from "turnwise-kernel/internal/session/messages";
import { slot } from "turnwise-kernel/internal/session/state";
import type { FileChange, FilesWritten } from "../shared/file-messages.js";
import { isSource } from "../library/toldStore.js";
import { mailBytes, SharedMail } from "../shared/shared-mail.js";
import { flagBytes } from "../shared/shared-memory.js";
import { takeWorker } from "./ahead.js";
import type { PageFiles } from "./files.js";
import { WorkerFiles } from "./worker-files.js";
import type { SourceNews } from "../types/sources.js";
import { tellServiceWorker, web, type WebWorker } from "./web.js";

/** Time that a completion may wait for the session. */
const membersMs = 1_000;

/**
 * A session in a worker of the page. It hears the messages that a session process hears through its pipes; where the page is
 * isolated, an interrupt and what a person does also reach it in shared memory, while a cell computes.
 */
export class WorkerSession implements Session {
  private readonly worker: WebWorker;
  private readonly flag: Int32Array | undefined;
  private readonly mail: SharedMail | undefined;
  private letters = 0;
  private readonly files: WorkerFiles | undefined;
  private cells = 0;
  private stopped = false;
  private count = 0;
  private readonly asked = new Map<number, (names: string[]) => void>();

  /** @param onSource called with each source that cells may import */
  constructor(
    events: SessionEvents,
    onSource: (news: SourceNews) => void,
    private readonly o: { url: string; base: string; folder: string; poll: string; files?: PageFiles },
  ) {
    const { worker, isAhead } = takeWorker(o.url);
    this.worker = worker;
    const flag = web.crossOriginIsolated ? new SharedArrayBuffer(flagBytes) : undefined;
    this.flag = flag && new Int32Array(flag);
    const mail = flag && new SharedArrayBuffer(mailBytes);
    this.mail = mail && new SharedMail(mail);
    this.worker.onmessage = ({ data }) => {
      const { report, buffers, controlReport, files, source } = data as {
        files?: FilesWritten;
        report?: SessionReport;
        buffers?: Uint8Array[];
        controlReport?: ControlReport;
        source?: SourceNews;
      };
      // What a cell has written is kept, though it has been ended.
      if (files) this.files?.write(files);
      if (this.stopped) return;
      if (report) events.onReport(report, (buffers ?? []) as Buffer[]);
      if (source) onSource(source);
      if (controlReport?.t === "members") this.onMembers(controlReport.id, controlReport.names);
    };
    this.worker.onerror = ({ message }) => {
      if (!this.stopped) events.onDeath(message ?? "its script could not be loaded");
    };
    this.worker.postMessage({
      start: {
        base: o.base,
        location: o.folder,
        poll: o.poll,
        flag,
        mail,
        files: o.files !== undefined,
        readAhead: isAhead,
      },
    });
    this.files =
      o.files &&
      new WorkerFiles(o.files, (files) => {
        this.worker.postMessage({ files });
        // Not by way of the worker, which a cell may keep busy while the next one is being checked.
        if ("changes" in files) sourcesOf(files.changes).forEach(onSource);
      });
  }

  send(command: SessionCommand, buffers: readonly Uint8Array[] = []): void {
    if (command.t === "execute") this.cells++;
    if (command.t !== "input" && command.t !== "comm") return this.worker.postMessage({ command, buffers });
    const serial = ++this.letters;
    // Bytes come as a message alone, and what is sent after them waits for them.
    if (buffers.length === 0) this.mail?.put({ serial, text: JSON.stringify(command) });
    this.worker.postMessage({ command, buffers, mail: serial });
  }

  interrupt(): void {
    if (this.flag) {
      this.flag[slot.meant] = this.cells;
      Atomics.store(this.flag, slot.stop, 1);
    } else {
      tellServiceWorker({ interrupt: this.o.poll, cell: this.cells });
    }
    this.control({ t: "interrupt", serial: this.cells });
  }

  debug(): Promise<JsonObject> {
    const message = "Cannot debug a cell: its kernel must run on Node.js, but it runs in a web page.";
    return Promise.resolve({ type: "response", success: false, message, body: {} });
  }

  members(expression: string): Promise<string[]> {
    return new Promise((resolve) => {
      const id = ++this.count;
      this.asked.set(id, resolve);
      setTimeout(() => this.onMembers(id, []), membersMs);
      this.control({ t: "members", id, expression });
    });
  }

  stop(): Promise<void> {
    this.stopped = true;
    this.worker.terminate();
    // An interrupt that it has not heard is not for the session that takes its place.
    tellServiceWorker({ settled: this.o.poll });
    this.files?.stop();
    return Promise.resolve();
  }

  private onMembers(id: number, names: string[]): void {
    this.asked.get(id)?.(names);
    this.asked.delete(id);
  }

  private control(control: ControlCommand): void {
    this.worker.postMessage({ control });
  }
}

const sourcesOf = (changes: readonly FileChange[]): SourceNews[] =>
  changes
    .filter(([path, bytes]) => isSource(path, bytes))
    .map(([path, bytes]) => ({ path, text: bytes && new TextDecoder().decode(bytes) }));
