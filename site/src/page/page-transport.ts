import { buildMessage, type JsonObject, type Message } from "turnwise-kernel/internal/protocol/message";
import type { InChannel, Publish, Transport } from "turnwise-kernel/internal/front/host";
import type { LiteMessage } from "./lite.js";

const channelOf: Readonly<Record<string, InChannel>> = { stdin: "stdin", control: "control" };

/** Messages to and from JupyterLite, which calls functions where a server has sockets. */
export class PageTransport implements Transport {
  private handle: (channel: InChannel, message: Message) => void = () => undefined;
  /** JupyterLite finds the front ends by the session of one that is connected; the last one that asked is. */
  private session: string | undefined;

  constructor(private readonly sendMessage: (message: LiteMessage) => void) {}

  bind(): Promise<void> {
    return Promise.resolve();
  }

  listen(handle: (channel: InChannel, message: Message) => void): void {
    this.handle = handle;
  }

  /** A message of a front end. */
  receive(message: LiteMessage): void {
    const { header, parent_header, metadata, content, buffers = [], channel } = message;
    this.session = String(header.session);
    this.handle(channelOf[channel] ?? "shell", {
      identities: [],
      header: header as unknown as Message["header"],
      parent: parent_header,
      metadata,
      content,
      buffers: buffers.map(bytes) as Buffer[],
    });
  }

  reply(channel: InChannel, request: Message, msgType: string, content: JsonObject): void {
    const { header } = request;
    this.send(channel, buildMessage(msgType, content, { session: header.session, parent: header }));
  }

  readonly publish: Publish = (msgType, content, parent, o = {}) => {
    // Before anybody has connected, nobody listens.
    if (this.session === undefined) return;
    this.send("iopub", buildMessage(msgType, content, { session: this.session, parent, ...o }));
  };

  close(): Promise<void> {
    return Promise.resolve();
  }

  private send(channel: string, { header, parent, metadata, content, buffers }: Message): void {
    this.sendMessage({
      channel,
      header: { ...header },
      parent_header: { ...parent },
      metadata,
      content,
      buffers: buffers.map((buffer) => new Uint8Array(buffer).buffer),
    });
  }
}

function bytes(buffer: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
}
