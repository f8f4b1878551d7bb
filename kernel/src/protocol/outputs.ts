import type { JsonObject, MimeBundle } from "./message.js";

/** One output of a code cell, as notebook format 4.5 stores it. */
export type NbformatOutput =
  | { output_type: "stream"; name: "stdout" | "stderr"; text: string }
  | { output_type: "display_data"; data: MimeBundle; metadata: JsonObject }
  | { output_type: "execute_result"; data: MimeBundle; metadata: JsonObject; execution_count: number }
  | { output_type: "error"; ename: string; evalue: string; traceback: string[] };

type Displayed = Extract<NbformatOutput, { data: MimeBundle }>;

/** The displays with an id, over all cells of a kernel: a later cell may update an earlier output. */
export class DisplayIndex {
  private readonly byId = new Map<string, Set<Displayed>>();

  add(id: string, output: Displayed): void {
    const known = this.byId.get(id) ?? new Set();
    known.add(output);
    this.byId.set(id, known);
  }

  update(id: string, data: MimeBundle, metadata: JsonObject): void {
    for (const output of this.byId.get(id) ?? []) {
      output.data = data;
      output.metadata = metadata;
    }
  }
}

/** Turns the IOPub messages of one request into the outputs a notebook would store. */
export class OutputCollector {
  readonly outputs: NbformatOutput[] = [];
  private clearOnNext = false;

  constructor(private readonly displays: DisplayIndex) {}

  accept(message: { header: { msg_type: string }; content: JsonObject }): void {
    const content = message.content;
    switch (message.header.msg_type) {
      case "stream":
        this.addStream(content.name as "stdout" | "stderr", String(content.text));
        break;
      case "display_data":
      case "execute_result":
        this.addDisplay(message.header.msg_type, content);
        break;
      case "update_display_data": {
        const id = displayId(content);
        if (id !== undefined)
          this.displays.update(id, content.data as MimeBundle, content.metadata as JsonObject);
        break;
      }
      case "error":
        this.append({
          output_type: "error",
          ename: String(content.ename),
          evalue: String(content.evalue),
          traceback: content.traceback as string[],
        });
        break;
      case "clear_output":
        if (content.wait) this.clearOnNext = true;
        else this.outputs.length = 0;
        break;
    }
  }

  private addStream(name: "stdout" | "stderr", text: string): void {
    const last = this.clearOnNext ? undefined : this.outputs.at(-1);
    if (last?.output_type === "stream" && last.name === name) last.text += text;
    else this.append({ output_type: "stream", name, text });
  }

  private addDisplay(type: "display_data" | "execute_result", content: JsonObject): void {
    const data = content.data as MimeBundle;
    const metadata = (content.metadata ?? {}) as JsonObject;
    const output: Displayed =
      type === "display_data"
        ? { output_type: type, data, metadata }
        : { output_type: type, data, metadata, execution_count: content.execution_count as number };
    this.append(output);
    const id = displayId(content);
    if (id !== undefined) {
      this.displays.add(id, output);
      // A second display under the same id also changes the first, as in front ends.
      this.displays.update(id, data, metadata);
    }
  }

  private append(output: NbformatOutput): void {
    if (this.clearOnNext) {
      this.outputs.length = 0;
      this.clearOnNext = false;
    }
    this.outputs.push(output);
  }
}

function displayId(content: JsonObject): string | undefined {
  const id = (content.transient as JsonObject | undefined)?.display_id;
  return typeof id === "string" ? id : undefined;
}
