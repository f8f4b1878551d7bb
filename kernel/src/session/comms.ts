import { randomUUID } from "node:crypto";
import type { JsonObject } from "../protocol/message.js";
import type { Output } from "./output.js";

/** A message on a comm, with its binary parts. */
export interface CommMessage {
  data: JsonObject;
  metadata: JsonObject;
  buffers: Buffer[];
}

/** What a comm message may carry besides its data. */
export interface CommExtras {
  metadata?: JsonObject;
  buffers?: readonly Uint8Array[];
}

/** A channel between an object in the session and one in the front end. */
export class Comm {
  /** Called with every message of the front end. */
  onMessage: (message: CommMessage) => void = () => undefined;
  /** Called when the front end closes the comm. */
  onClose: () => void = () => undefined;

  constructor(
    readonly id: string,
    readonly target: string,
    private readonly comms: Comms,
  ) {}

  /** Sends data to the front end. */
  send(data: JsonObject, o: CommExtras = {}): void {
    this.comms.publish("comm_msg", { comm_id: this.id, data }, o);
  }

  /** Ends the channel. */
  close(data: JsonObject = {}): void {
    if (this.comms.forget(this.id)) this.comms.publish("comm_close", { comm_id: this.id, data }, {});
  }
}

/** All comms of a session. */
export class Comms {
  private readonly open = new Map<string, Comm>();
  private readonly targets = new Map<string, (comm: Comm, opening: CommMessage) => void>();

  constructor(
    private readonly output: Output,
    /** Runs a handler in the name of the front end's message, and goes back to the running cell after it. */
    private readonly inNameOf: (messageId: string, run: () => void) => void,
  ) {}

  /** Opens a comm towards the front end. */
  create(target: string, data: JsonObject, o: CommExtras & { id?: string } = {}): Comm {
    const comm = new Comm(o.id ?? randomUUID(), target, this);
    this.open.set(comm.id, comm);
    this.publish("comm_open", { comm_id: comm.id, target_name: target, data }, o);
    return comm;
  }

  /** Registers what happens when the front end opens a comm for a target. */
  registerTarget(target: string, onOpen: (comm: Comm, opening: CommMessage) => void): void {
    this.targets.set(target, onOpen);
  }

  /** Handles a comm message of the front end. */
  receive(
    type: string,
    messageId: string,
    content: JsonObject,
    metadata: JsonObject,
    buffers: Buffer[],
  ): void {
    const id = String(content.comm_id);
    const message: CommMessage = { data: asObject(content.data), metadata, buffers };
    this.inNameOf(messageId, () => {
      if (type === "comm_open") {
        const target = String(content.target_name);
        const onOpen = this.targets.get(target);
        const comm = new Comm(id, target, this);
        // The protocol asks to close at once what nobody here knows.
        if (!onOpen) return this.publish("comm_close", { comm_id: id, data: {} }, {});
        this.open.set(id, comm);
        return onOpen(comm, message);
      }
      const comm = this.open.get(id);
      if (type === "comm_msg") comm?.onMessage(message);
      if (type === "comm_close" && comm) {
        this.open.delete(id);
        comm.onClose();
      }
    });
  }

  publish(msgType: string, content: JsonObject, o: CommExtras): void {
    this.output.publish(msgType, content, {
      ...(o.metadata && { metadata: o.metadata }),
      ...(o.buffers && { buffers: o.buffers }),
    });
  }

  forget(id: string): boolean {
    return this.open.delete(id);
  }
}

function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
