import type { JsonObject } from "./message.js";

/** A message on a comm, with its binary parts. */
export interface CommMessage {
  data: JsonObject;
  metadata: JsonObject;
  buffers: Buffer[];
}

/** Binary data of a message. */
export type CommBuffer = ArrayBuffer | ArrayBufferView;

/** Extra fields of a comm message besides its data. */
export interface CommExtras {
  metadata?: JsonObject;
  buffers?: readonly CommBuffer[];
}

/** Function that is called with each message of the front end. */
export type CommListener = (message: CommMessage) => unknown;

/** Adds a function to those that are called; returns one that takes it away again. */
export type Listen = (listener: CommListener) => () => void;

/** A channel between an object in the session and one in the front end. */
export interface Comm {
  readonly id: string;
  readonly target: string;
  /** False once either end has closed it: then nothing can be sent. */
  readonly isOpen: boolean;
  /** Messages of the front end: `comm.onMessage(listener)` adds a listener, `comm.onMessage = listener` replaces the one set before. */
  get onMessage(): Listen;
  set onMessage(listener: CommListener);
  /** The front end closes the comm; listeners are added and set as for messages. */
  get onClose(): Listen;
  set onClose(listener: CommListener);
  /** Adds a listener; returns a function that removes it. */
  on(event: "message" | "close", listener: CommListener): () => void;
  /** Removes a listener. */
  off(event: "message" | "close", listener: CommListener): void;
  /**
   * Sends data to the front end.
   *
   * @throws {TypeError} if the comm is closed, or data or buffers cannot be sent
   */
  send(data?: JsonObject, o?: CommExtras): void;
  /** Ends the channel. Does nothing if it has ended. */
  close(data?: JsonObject, o?: CommExtras): void;
}
