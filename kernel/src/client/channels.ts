import * as zmq from "zeromq";
import { clientSecurity, endpoint, type ConnectionInfo } from "../protocol/connection.js";
import type { Message } from "../protocol/message.js";
import { Outbox } from "../protocol/outbox.js";
import { Wire } from "../protocol/wire.js";

/** The channels on which a client sends requests. */
export type RequestChannel = "shell" | "control";

/** The channels on which a client sends anything at all. */
export type OutChannel = RequestChannel | "stdin";

/** Handlers of the kernel's messages on each channel. */
export type Handlers = Record<OutChannel | "iopub", (message: Message) => void>;

/** The way to a kernel and back. */
export type OpenChannels = Pick<Channels, "send" | "sendFrames" | "heartbeat" | "close">;

/** Opens the way to a kernel. */
export type Connect = (info: ConnectionInfo, session: string, handlers: Handlers) => OpenChannels;

/** The kernel's sockets. */
export const openSockets: Connect = (info, session, handlers) => new Channels(info, session, handlers);

/** A client's ends of the kernel's five sockets. */
export class Channels {
  private readonly wire: Wire;
  private readonly sockets: Record<OutChannel, zmq.Dealer> & { iopub: zmq.Subscriber };
  private readonly outboxes: Record<OutChannel, Outbox>;
  private closed = false;

  constructor(
    private readonly info: ConnectionInfo,
    session: string,
    handlers: Handlers,
  ) {
    this.wire = new Wire(info.key, info.signature_scheme);
    const security = clientSecurity(info);
    const common = { linger: 0, sendHighWaterMark: 0, receiveHighWaterMark: 0, ...security };
    // The kernel finds the stdin channel of a cell by the identity of its shell channel.
    const dealer = (): zmq.Dealer => new zmq.Dealer({ ...common, routingId: session });
    this.sockets = {
      shell: dealer(),
      control: dealer(),
      stdin: dealer(),
      iopub: new zmq.Subscriber({ linger: 0, receiveHighWaterMark: 0, ...security }),
    };
    for (const name of ["shell", "control", "stdin", "iopub"] as const) {
      this.sockets[name].connect(endpoint(info, name));
    }
    this.sockets.iopub.subscribe("");
    this.outboxes = {
      shell: new Outbox(this.sockets.shell),
      control: new Outbox(this.sockets.control),
      stdin: new Outbox(this.sockets.stdin),
    };
    for (const name of ["shell", "control", "iopub", "stdin"] as const) {
      void this.receive(this.sockets[name], handlers[name]);
    }
  }

  send(channel: OutChannel, message: Message): void {
    this.sendFrames(channel, this.wire.encode(message));
  }

  sendFrames(channel: OutChannel, frames: Buffer[]): void {
    this.outboxes[channel].push(frames);
  }

  /** The time in milliseconds that the heartbeat channel takes to echo. */
  async heartbeat(timeoutMs: number): Promise<number> {
    const socket = new zmq.Request({ linger: 0, receiveTimeout: timeoutMs, ...clientSecurity(this.info) });
    socket.connect(endpoint(this.info, "hb"));
    try {
      const start = performance.now();
      await socket.send("ping");
      await socket.receive();
      return performance.now() - start;
    } finally {
      socket.close();
    }
  }

  close(): void {
    this.closed = true;
    for (const socket of Object.values(this.sockets)) socket.close();
  }

  private async receive(
    socket: zmq.Dealer | zmq.Subscriber,
    handle: (message: Message) => void,
  ): Promise<void> {
    try {
      for await (const frames of socket) {
        let message: Message;
        try {
          message = this.wire.decode(frames);
        } catch {
          continue; // Signed with another key, or not a message: not for us.
        }
        handle(message);
      }
    } catch (error) {
      if (!this.closed) throw error;
    }
  }
}
