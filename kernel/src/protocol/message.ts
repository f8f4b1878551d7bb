/** The version of the Jupyter messaging protocol that every message of this package declares. */
export const protocolVersion = "5.4";

/** A JSON object as it travels in a message part. */
export type JsonObject = Record<string, unknown>;

/** A MIME bundle: content by MIME type. */
export type MimeBundle = Record<string, unknown>;

/** The content of an `error` message, which is also part of the reply. */
export interface ErrorContent {
  ename: string;
  evalue: string;
  traceback: string[];
}

/** The first part of a message: who sent what, when. */
export interface Header {
  msg_id: string;
  msg_type: string;
  session: string;
  username: string;
  date: string;
  version: string;
  subshell_id?: string | null;
}

/** One Jupyter message, decoded. `parent` is the header of the request that caused it, or empty. */
export interface Message {
  identities: Buffer[];
  header: Header;
  parent: Partial<Header>;
  metadata: JsonObject;
  content: JsonObject;
  buffers: Buffer[];
}

// Ids need to be unique, not unpredictable: a counter after one random prefix is far cheaper than
// a fresh UUID for each of thousands of stream messages.
const idPrefix = globalThis.crypto.randomUUID();
let idCounter = 0;

/** A message id that no other message of any process carries. */
export function newMessageId(): string {
  return `${idPrefix}_${++idCounter}`;
}

/** Builds a message with a fresh header. */
export function buildMessage(
  msgType: string,
  content: JsonObject,
  o: {
    session: string;
    /** Sender. */
    username?: string;
    parent?: Partial<Header>;
    identities?: Buffer[];
    metadata?: JsonObject;
    buffers?: Buffer[];
  },
): Message {
  return {
    identities: o.identities ?? [],
    header: {
      msg_id: newMessageId(),
      msg_type: msgType,
      session: o.session,
      username: o.username ?? "kernel",
      date: new Date().toISOString(),
      version: protocolVersion,
    },
    parent: o.parent ?? {},
    metadata: o.metadata ?? {},
    content,
    buffers: o.buffers ?? [],
  };
}
