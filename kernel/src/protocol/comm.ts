import type { JsonObject } from "./message.js";

/** A message on a comm, with its binary parts. */
export interface CommMessage {
  data: JsonObject;
  metadata: JsonObject;
  buffers: Buffer[];
}

/** Extra fields of a comm message besides its data. */
export interface CommExtras {
  metadata?: JsonObject;
  buffers?: readonly Uint8Array[];
}

/** A channel between an object in the session and one in the front end. */
export interface Comm {
  readonly id: string;
  readonly target: string;
  /** Called with every message of the front end. */
  onMessage: (message: CommMessage) => void;
  /** Called when the front end closes the comm. */
  onClose: () => void;
  /** Sends data to the front end. */
  send(data: JsonObject, o?: CommExtras): void;
  /** Ends the channel. */
  close(data?: JsonObject): void;
}
