import { randomUUID } from "node:crypto";
import type { Comm, CommExtras, CommMessage } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";
import type { CommCommand } from "./messages.js";
import type { Output } from "./output.js";

class SessionComm implements Comm {
  onMessage: (message: CommMessage) => void = () => undefined;
  onClose: () => void = () => undefined;

  constructor(
    readonly id: string,
    readonly target: string,
    private readonly comms: Comms,
  ) {}

  send(data: JsonObject, o: CommExtras = {}): void {
    this.comms.publish("comm_msg", { comm_id: this.id, data }, o);
  }

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
    /** Runs a handler on behalf of the front end's message, and returns to the running cell afterwards. */
    private readonly inNameOf: (messageId: string, run: () => void) => void,
  ) {}

  /** Opens a comm towards the front end. */
  create(target: string, data: JsonObject, o: CommExtras & { id?: string } = {}): Comm {
    const comm = new SessionComm(o.id ?? randomUUID(), target, this);
    this.open.set(comm.id, comm);
    this.publish("comm_open", { comm_id: comm.id, target_name: target, data }, o);
    return comm;
  }

  /** Registers what happens when the front end opens a comm for a target. */
  registerTarget(target: string, onOpen: (comm: Comm, opening: CommMessage) => void): void {
    this.targets.set(target, onOpen);
    this.output.send({ t: "target", name: target });
  }

  /** Handles a comm message of the front end. */
  receive({ type, id: messageId, content, metadata }: CommCommand, buffers: Buffer[]): void {
    const id = String(content.comm_id);
    const message: CommMessage = { data: asObject(content.data), metadata, buffers };
    this.inNameOf(messageId, () => {
      if (type === "comm_open") {
        const target = String(content.target_name);
        const onOpen = this.targets.get(target);
        const comm = new SessionComm(id, target, this);
        // The front refuses what was never offered.
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
