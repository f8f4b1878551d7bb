import { Kernel } from "turnwise-kernel/internal/front/kernel";
import type { LiteMessage } from "../page/lite.js";
import { pageHost } from "../page/page-host.js";
import { PageTransport } from "../page/page-transport.js";

// The kernel in a page without JupyterLite: whoever holds the page sends messages and receives them, as JSON.

interface Start {
  readonly id: string;
  readonly base: string;
  readonly location: string;
  /** Address of the workers' scripts. */
  readonly scripts: string;
}

const page = globalThis as unknown as {
  /** Given by whoever holds the page. */
  turnwiseReceive(message: string): void;
  turnwiseSend(message: string): void;
  turnwiseStart(o: Start): Promise<void>;
};

/** Bytes as text, since JSON has none. */
function toText(buffer: ArrayBuffer | ArrayBufferView): string {
  const bytes = ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const toBytes = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

page.turnwiseStart = async ({ id, base, location, scripts }) => {
  const sendMessage = (message: LiteMessage): void =>
    page.turnwiseReceive(JSON.stringify({ ...message, buffers: (message.buffers ?? []).map(toText) }));
  const transport = new PageTransport(sendMessage);
  const { stop, ...host } = pageHost({ id, name: "turnwise", location, sendMessage }, base, scripts);
  const kernel = new Kernel({ ...host, transport, exit: stop });
  page.turnwiseSend = (text) => {
    const message = JSON.parse(text) as LiteMessage & { buffers: string[] };
    transport.receive({ ...message, buffers: message.buffers.map(toBytes) });
  };
  await kernel.start();
};
