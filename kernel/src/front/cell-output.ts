import type { Header } from "../protocol/message.js";
import type { SessionReport } from "../session/messages.js";
import { escapeHtml } from "../display/html.js";
import { limits } from "../display/settings.js";
import type { PrintedText, Publish } from "./host.js";
import { Streams } from "./streams.js";

// Late output names its cell; the headers of recent cells are kept to address it.
const rememberedCells = 1_000;

/** Addresses what cells print and show: each message goes out under its cell's request, even after that has ended. */
export class CellOutput {
  private readonly headers = new Map<string, Header>();
  private readonly failedLate = new WeakSet<Header>();
  private readonly streams: Streams;
  private last: string | undefined;

  constructor(
    private readonly publish: Publish,
    private readonly printed: PrintedText,
  ) {
    this.streams = new Streams(
      (cell, name, text) => this.publish("stream", { name, text }, this.header(cell)),
      {
        get burst() {
          return limits.get("printed");
        },
        get perSecond() {
          return limits.get("printedPerSecond");
        },
        get tail() {
          return limits.get("printedTail");
        },
      },
      (cell) => this.printed.cut(cell),
    );
  }

  /** Keeps the header of a request under which output will come. */
  remember(header: Header): void {
    this.headers.set(header.msg_id, header);
    if (this.headers.size > rememberedCells) this.headers.delete(this.headers.keys().next().value!);
  }

  /** A cell starts, with a full allowance of text. */
  begin(header: Header, name: string): void {
    this.remember(header);
    this.last = header.msg_id;
    this.printed.begin(header.msg_id, name);
    this.streams.refill();
  }

  write(cell: string, name: "stdout" | "stderr", text: string): void {
    this.printed.add(cell, text);
    this.streams.write(cell, name, text);
  }

  /** A cell has ended: if not all that it has printed is shown, a link to the file with all of it is. */
  async end({ msg_id: cell }: Header): Promise<void> {
    this.flush();
    const kept = await this.printed.end(cell);
    if (!kept) return;
    const { path, size } = kept;
    const about = `All ${size.toLocaleString("en")} characters that this cell has printed`;
    const data = {
      "text/html": `<p><a href="${escapeHtml(encodeURI(path))}">${about}</a></p>`,
      "text/plain": `${about}: ${path}`,
    };
    this.publish("display_data", { data, metadata: {}, transient: {} }, this.header(cell));
  }

  /** Sends text that names no cell (of native code or a child process) to the last one; false if there was none. */
  writeToLast(name: "stdout" | "stderr", text: string): boolean {
    if (this.last === undefined) return false;
    this.write(this.last, name, text);
    return true;
  }

  /** Sends the text gathered so far, before something that must come after it. */
  flush(): void {
    this.streams.flush();
  }

  /** An IOPub message of the session. */
  message({ cell, msgType, content, metadata }: SessionReport & { t: "iopub" }, buffers: Buffer[]): void {
    this.flush();
    this.publish(msgType, content, this.header(cell), { metadata, buffers });
  }

  /**
   * Shows an error that no cell awaits as text on stderr. The first one of a cell says in its metadata what it is, so that a
   * program need not parse the text; any further ones are gathered like other printed text.
   */
  uncaught({ cell, text, ename, evalue }: SessionReport & { t: "uncaught" }): void {
    const parent = this.headers.get(cell);
    if (!parent || this.failedLate.has(parent)) return this.write(cell, "stderr", text);
    this.failedLate.add(parent);
    this.flush();
    this.publish("stream", { name: "stderr", text }, parent, { metadata: { uncaught: { ename, evalue } } });
  }

  private header(cell: string): Partial<Header> {
    return this.headers.get(cell) ?? {};
  }
}
