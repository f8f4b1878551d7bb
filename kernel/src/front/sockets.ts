import { rmSync } from "node:fs";
import * as zmq from "zeromq";
import { channels, endpoint, serverSecurity, type ConnectionInfo } from "../protocol/connection.js";
import { buildMessage, type Header, type JsonObject, type Message } from "../protocol/message.js";
import { Outbox } from "../protocol/outbox.js";
import { Publisher } from "../protocol/publisher.js";
import { userName } from "../protocol/user-name.js";
import { Wire, WireError } from "../protocol/wire.js";
import type { InChannel, Transport } from "./host.js";

/** The kernel's five sockets: incoming messages are verified, outgoing ones are signed and never dropped. */
export class Sockets implements Transport {
  private readonly wire: Wire;
  private readonly routers: Record<InChannel | "hb", zmq.Router>;
  private readonly iopub: Publisher;
  private readonly outboxes: Record<InChannel | "hb" | "iopub", Outbox>;
  private closed = false;

  constructor(
    private readonly info: ConnectionInfo,
    private readonly session: string,
  ) {
    this.wire = new Wire(info.key, info.signature_scheme, { dropReplays: true });
    // Unlimited queues: what a slow reader has not read yet waits in memory instead of getting lost.
    const security = serverSecurity(info);
    const common = { sendHighWaterMark: 0, receiveHighWaterMark: 0, linger: 1_000, ...security };
    const router = (): zmq.Router => new zmq.Router({ ...common, handover: true });
    this.routers = { shell: router(), control: router(), stdin: router(), hb: router() };
    this.iopub = new Publisher({ sendHighWaterMark: 0, linger: 1_000, ...security });
    this.outboxes = {
      shell: new Outbox(this.routers.shell),
      control: new Outbox(this.routers.control),
      stdin: new Outbox(this.routers.stdin),
      hb: new Outbox(this.routers.hb),
      iopub: new Outbox(this.iopub),
    };
  }

  /** Opens all sockets. Rejects if an address is taken. */
  async bind(): Promise<void> {
    await Promise.all([
      ...Object.entries(this.routers).map(([name, socket]) =>
        socket.bind(endpoint(this.info, name as InChannel)),
      ),
      this.iopub.bind(endpoint(this.info, "iopub")),
    ]);
  }

  /** Starts to receive; `handle` sees every message that is well formed and well signed. */
  listen(handle: (channel: InChannel, message: Message) => void): void {
    for (const channel of ["shell", "control", "stdin"] as const) void this.receive(channel, handle);
    void this.echo();
    void this.welcome();
  }

  /** Sends a reply to the peer that asked, on the channel where it asked. */
  reply(
    channel: InChannel,
    request: Pick<Message, "identities" | "header">,
    msgType: string,
    content: JsonObject,
    o: { metadata?: JsonObject; buffers?: Buffer[] } = {},
  ): void {
    const message = buildMessage(msgType, content, {
      session: this.session,
      username: userName(),
      parent: request.header,
      identities: request.identities,
      ...o,
    });
    this.outboxes[channel].push(this.wire.encode(message));
  }

  /** Sends a message to all subscribers. */
  publish(
    msgType: string,
    content: JsonObject,
    parent: Partial<Header>,
    o: { metadata?: JsonObject; buffers?: Buffer[] } = {},
  ): void {
    const message = buildMessage(msgType, content, {
      session: this.session,
      username: userName(),
      parent,
      identities: [Buffer.from(`kernel.${this.session}.${msgType}`)],
      ...o,
    });
    this.outboxes.iopub.push(this.wire.encode(message));
  }

  /** Sends what is queued, then closes. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.outboxes).map((outbox) => outbox.flush()));
    this.closed = true;
    for (const socket of [...Object.values(this.routers), this.iopub]) socket.close();
    if (this.info.transport === "ipc") {
      // The library's own thread removes them too late if the process exits immediately.
      for (const channel of channels)
        rmSync(endpoint(this.info, channel).slice("ipc://".length), { force: true });
    }
  }

  private async receive(
    channel: InChannel,
    handle: (channel: InChannel, message: Message) => void,
  ): Promise<void> {
    for await (const frames of this.whileOpen(this.routers[channel])) {
      try {
        handle(channel, this.wire.decode(frames));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        process.stderr.write(`turnwise kernel: dropped a message on ${channel}: ${error.message}\n`);
      }
    }
  }

  private async echo(): Promise<void> {
    for await (const frames of this.whileOpen(this.routers.hb)) this.outboxes.hb.push(frames);
  }

  /** Greets each subscriber with its first message, so that it knows from when on it receives everything. */
  private async welcome(): Promise<void> {
    try {
      await this.iopub.follow((topic) => {
        const message = buildMessage(
          "iopub_welcome",
          { subscription: topic.toString("utf8") },
          { session: this.session, username: userName(), identities: [Buffer.from(topic)] },
        );
        this.outboxes.iopub.pushFirst(this.wire.encode(message));
      });
    } catch (error) {
      if (!this.closed) throw error;
    }
  }

  private async *whileOpen(socket: zmq.Router): AsyncGenerator<Buffer[]> {
    try {
      for await (const frames of socket) yield frames;
    } catch (error) {
      if (!this.closed) throw error;
    }
  }
}
