import type { Comm, CommExtras, CommMessage } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";
import { commHost } from "./host.js";

/** Options of opening a comm. */
export interface CommOptions extends CommExtras {
  /** The name under which the front end has registered what takes the other end. */
  target: string;
  /** Data of the opening message. */
  data?: JsonObject;
  /** The id of the comm; a new one by default. */
  id?: string;
}

/** The kernel answers for these itself. */
const servedTargets = ["jupyter.widget", "jupyter.widget.control"];
/** Messages by which the kernel reports its own state: a second source of them would confuse front ends. */
const kernelsOwn = ["status", "execute_input", "iopub_welcome"];

/**
 * Opens a comm, a channel for data and binary buffers between the notebook and a part of the front end: an extension, or a script
 * in an output. Messages of the front end arrive while a later cell awaits something, too.
 *
 * @example
 * const comm = createComm({ target: "my-extension", data: { hello: 1 } });
 * comm.onMessage = ({ data, buffers }) => console.log(data, buffers.length);
 * comm.send({ points: 3 }, { buffers: [Float64Array.of(1, 2, 3)] });
 *
 * @throws {TypeError} if an option has the wrong type or there is no kernel session
 * @throws {RangeError} if an option is unknown or a comm of this id is open
 */
export function createComm(o: CommOptions): Comm {
  const host = commHost("createComm");
  if (typeof o !== "object" || o === null)
    throw new TypeError(`Cannot open the comm: options must be an object with a target, got ${shown(o)}.`);
  const { target, data = {}, id, metadata, buffers, ...others } = o;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot open the comm: its options are target, data, metadata, buffers and id, got ${shown(unknown)}.`,
    );
  }
  checkName("Cannot open the comm: target", target);
  if (id !== undefined) {
    checkName("Cannot open the comm: id", id);
    if (host.hasComm(id))
      throw new RangeError(`Cannot open the comm: its id must be a new one, but ${shown(id)} is open.`);
  }
  return host.create(target, data, {
    ...(id !== undefined && { id }),
    ...(metadata !== undefined && { metadata }),
    ...(buffers !== undefined && { buffers }),
  });
}

/**
 * Registers a function that takes comms which the front end opens for a target. It gets the comm, where it can listen, and the
 * opening message. A comm whose function throws is closed.
 *
 * @returns a function that takes the registration back
 *
 * @example
 * registerTarget("my-extension", (comm, { data }) => {
 *   comm.onMessage = ({ data }) => comm.send({ echo: data });
 * });
 *
 * @throws {TypeError} if the target is not a name or `onOpen` not a function
 * @throws {RangeError} if the kernel serves the target itself
 */
export function registerTarget(
  target: string,
  onOpen: (comm: Comm, opening: CommMessage) => unknown,
): () => void {
  const host = commHost("registerTarget");
  checkName("Cannot register a target: its name", target);
  if (servedTargets.includes(target)) {
    throw new RangeError(
      `Cannot register a target: its name must not be ${servedTargets.join(" or ")}, which the kernel serves itself.`,
    );
  }
  if (typeof onOpen !== "function")
    throw new TypeError(
      `Cannot register the target ${shown(target)}: onOpen must be a function, got ${shown(onOpen)}.`,
    );
  return host.registerTarget(target, onOpen);
}

/**
 * Sends a message of any type to all front ends, on the channel of outputs, under the running cell. The same as
 * `Deno.jupyter.broadcast`.
 *
 * @example
 * await broadcast("display_data", { data: { "text/html": "<b>x</b>" }, metadata: {}, transient: { display_id: "x" } });
 *
 * @throws {TypeError} if the content is not JSON or a buffer not binary
 * @throws {RangeError} if the kernel alone sends messages of this type
 */
export async function broadcast(
  msgType: string,
  content: JsonObject = {},
  o: CommExtras = {},
): Promise<void> {
  const host = commHost("broadcast");
  checkName("Cannot broadcast: the type of the message", msgType);
  if (kernelsOwn.includes(msgType)) {
    throw new RangeError(
      `Cannot broadcast ${msgType}: the type must not be ${kernelsOwn.join(", ")}, which report the kernel's own state.`,
    );
  }
  if (msgType.startsWith("comm_")) {
    checkName(`Cannot broadcast ${msgType}: content.comm_id`, content.comm_id);
    if (msgType === "comm_open")
      checkName(`Cannot broadcast ${msgType}: content.target_name`, content.target_name);
  }
  // Front ends rely on these fields, which are easily forgotten.
  const isOutput = msgType === "display_data" || msgType === "update_display_data";
  host.broadcast(msgType, isOutput ? { metadata: {}, transient: {}, ...content } : content, o);
  return Promise.resolve();
}

/** Opens a comm to a target that the front end has registered: {@link createComm} with other arguments. */
export function openComm(target: string, data: JsonObject = {}, o: CommExtras = {}): Comm {
  return createComm({ ...o, target, data });
}

/** Registers what happens when the front end opens a comm for a target: {@link registerTarget} under an earlier name. */
export function onComm(target: string, handler: (comm: Comm, opening: CommMessage) => void): void {
  registerTarget(target, handler);
}

function checkName(what: string, value: unknown): asserts value is string {
  if (typeof value !== "string") throw new TypeError(`${what} must be a string, got ${shown(value)}.`);
  if (value === "") throw new RangeError(`${what} must not be empty.`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
