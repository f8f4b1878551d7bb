import { createHmac, timingSafeEqual } from "node:crypto";
import { bytesOf } from "./encoded.js";
import type { Header, JsonObject, Message } from "./message.js";

const delimiter = Buffer.from("<IDS|MSG>");
// The digests of the last requests are kept to drop replays; jupyter_client keeps as many.
const replayMemory = 65_536;

/** Says what is wrong with received frames; the receiver drops them and goes on. */
export class WireError extends Error {
  override name = "WireError";
}

/**
 * Encodes messages as signed frames, and decodes them.
 *
 * Frames are `[identities..., "<IDS|MSG>", signature, header, parent, metadata, content, buffers...]`; the
 * signature is `hex(HMAC(key, header ‖ parent ‖ metadata ‖ content))` and leaves the buffers out.
 * An empty key means unsigned messages.
 *
 * Source: Jupyter messaging protocol 5.4, "The wire protocol".
 */
export class Wire {
  private readonly seen = new Set<string>();
  private readonly algorithm: string;

  /** @throws {RangeError} if the signature scheme is not `hmac-<digest of Node>`. */
  constructor(
    private readonly key: string,
    scheme = "hmac-sha256",
    private readonly o: { dropReplays?: boolean } = {},
  ) {
    const match = /^hmac-([a-z0-9-]+)$/.exec(scheme);
    if (!match) {
      throw new RangeError(
        `Cannot sign messages: the signature scheme must be hmac-<digest>, got ${JSON.stringify(scheme)}.`,
      );
    }
    this.algorithm = match[1]!;
    // Fails here, at the start, rather than at the first message, if Node does not know the digest.
    createHmac(this.algorithm, "probe").digest();
  }

  /** The frames of one message, ready for a socket. */
  encode(message: Message): Buffer[] {
    const parts = [message.header, message.parent, message.metadata, message.content].map(bytesOf);
    return [...message.identities, delimiter, this.sign(parts), ...parts, ...message.buffers];
  }

  /**
   * Decodes a message. The signature is compared in constant time, before anything is parsed.
   *
   * @throws {WireError} if the frames are not a well-formed, well-signed, new message.
   */
  decode(frames: readonly Buffer[]): Message {
    const at = frames.findIndex((frame) => frame.equals(delimiter));
    if (at < 0) throw new WireError("no <IDS|MSG> delimiter");
    if (frames.length < at + 6)
      throw new WireError(`${frames.length - at - 1} parts after the delimiter, need 5`);
    const signature = frames[at + 1]!;
    const parts = frames.slice(at + 2, at + 6);
    if (this.key !== "") {
      const expected = this.sign(parts);
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
        throw new WireError("wrong signature");
      }
      if (this.o.dropReplays) this.remember(signature.toString("latin1"));
    }
    const [header, parent, metadata, content] = parts.map(parseObject) as [
      JsonObject,
      JsonObject,
      JsonObject,
      JsonObject,
    ];
    if (typeof header.msg_id !== "string" || typeof header.msg_type !== "string") {
      throw new WireError("the header needs a msg_id and a msg_type");
    }
    return {
      identities: frames.slice(0, at),
      header: header as unknown as Header,
      parent: parent as Partial<Header>,
      metadata,
      content,
      buffers: frames.slice(at + 6),
    };
  }

  private sign(parts: readonly Buffer[]): Buffer {
    if (this.key === "") return Buffer.alloc(0);
    const hmac = createHmac(this.algorithm, this.key);
    for (const part of parts) hmac.update(part);
    return Buffer.from(hmac.digest("hex"));
  }

  private remember(signature: string): void {
    if (this.seen.has(signature)) throw new WireError("replayed message");
    this.seen.add(signature);
    if (this.seen.size > replayMemory) {
      // A Set iterates in insertion order: the first entries are the oldest.
      let surplus = replayMemory / 16;
      for (const old of this.seen) {
        this.seen.delete(old);
        if (--surplus <= 0) break;
      }
    }
  }
}

function parseObject(part: Buffer): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(part.toString("utf8"));
  } catch {
    throw new WireError("a part is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new WireError("a part is not a JSON object");
  }
  return value as JsonObject;
}
