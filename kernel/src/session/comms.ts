import { randomUUID } from "node:crypto";
import type { Comm, CommExtras, CommMessage } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";
import { byteParts, jsonData } from "./json-data.js";
import type { CommCommand } from "./messages.js";
import type { Output } from "./output.js";
import { SafeMap } from "./safe-collections.js";
import { SessionComm, type SendComm } from "./session-comm.js";

type OnOpen = (comm: Comm, opening: CommMessage) => unknown;

const actions = {
  comm_open: "open the comm",
  comm_msg: "send on the comm",
  comm_close: "close the comm",
} as const;

/** All comms of a session. */
export class Comms {
  private readonly open = new SafeMap<string, SessionComm>();
  private readonly targets = new SafeMap<string, OnOpen>();

  constructor(
    private readonly output: Output,
    /** Runs a handler on behalf of the front end's message, and returns to the running cell afterwards. */
    private readonly inNameOf: (messageId: string, run: () => void) => void,
  ) {}

  /** Opens a comm towards the front end. */
  create(target: string, data: JsonObject, o: CommExtras & { id?: string } = {}): Comm {
    const comm = this.made(o.id ?? randomUUID(), target);
    this.publish("comm_open", { comm_id: comm.id, target_name: target, data }, o);
    this.open.set(comm.id, comm);
    return comm;
  }

  /** Whether a comm of this id is open. */
  has(id: string): boolean {
    return this.open.has(id);
  }

  /** Registers what happens when the front end opens a comm for a target; returns a function that takes it back. */
  registerTarget(target: string, onOpen: OnOpen): () => void {
    this.targets.set(target, onOpen);
    this.output.send({ t: "target", name: target });
    return () => {
      if (this.targets.get(target) === onOpen) this.targets.delete(target);
    };
  }

  /** Sends any message to all front ends; one that closes a comm ends it here as well. */
  broadcast(msgType: string, content: JsonObject, o: CommExtras): void {
    const action = `broadcast ${msgType}`;
    this.output.publish(msgType, jsonData(content, action, "content"), extras(o, action));
    if (msgType === "comm_close") this.open.get(String(content.comm_id))?.end("the notebook");
  }

  /** Handles a comm message of the front end. */
  receive({ type, id: messageId, content, metadata }: CommCommand, buffers: Buffer[]): void {
    const id = String(content.comm_id);
    const message: CommMessage = { data: asObject(content.data), metadata, buffers };
    const run = (act: () => unknown): void => this.inNameOf(messageId, () => void act());
    if (type === "comm_open") return run(() => this.opened(id, String(content.target_name), message));
    const comm = this.open.get(id);
    if (type === "comm_msg") comm?.deliver("message", message, run);
    if (type === "comm_close" && comm) {
      comm.end("the front end");
      comm.deliver("close", message, run);
    }
  }

  private opened(id: string, target: string, message: CommMessage): void {
    const onOpen = this.targets.get(target);
    const comm = this.made(id, target);
    // The front refuses what was never offered.
    if (!onOpen) return comm.close();
    this.open.set(id, comm);
    try {
      onOpen(comm, message);
    } catch (error) {
      // Nobody listens on it, so the front end must not wait for an answer.
      comm.close();
      throw error;
    }
  }

  private made(id: string, target: string): SessionComm {
    return new SessionComm(id, target, this.publish, () => this.open.delete(id));
  }

  private readonly publish: SendComm = (msgType, content, o) => {
    const action = actions[msgType];
    const data = jsonData(content.data, action, "data");
    this.output.publish(msgType, { ...content, data }, extras(o, action));
  };
}

function extras(
  { metadata, buffers }: CommExtras,
  action: string,
): { metadata?: JsonObject; buffers?: readonly Uint8Array[] } {
  return {
    ...(metadata !== undefined && { metadata: jsonData(metadata, action, "metadata") }),
    ...(buffers !== undefined && { buffers: byteParts(buffers, action) }),
  };
}

function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
