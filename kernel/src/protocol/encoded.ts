import type { JsonObject } from "./message.js";

// Held here, as a cell may replace it by a spy that itself prints.
const { stringify } = JSON;

/** A part of a message that is JSON already: it goes on as it came, and nobody on its way reads its megabytes. */
export class EncodedJson implements JsonObject {
  [name: string]: unknown;

  constructor(readonly json: Buffer) {}

  toJSON(): unknown {
    return JSON.parse(this.json.toString());
  }
}

/** A value as JSON, in bytes. */
export function bytesOf(value: unknown): Buffer {
  return value instanceof EncodedJson ? value.json : Buffer.from(stringify(value));
}
