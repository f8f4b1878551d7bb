import { crc32 } from "./crc32";
import { fields } from "./protobuf";
import type { Row, RowReader } from "../row";

/** ":W&B", a magic number and a version. */
const HEADER = [0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0x00] as const;
const BLOCK = 32768;
/** Checksum, length and type of a chunk. */
const CHUNK_HEADER = 7;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/** Fields of a record that hold metrics, and those of an item. */
const HISTORY = 2;
const ITEM = 1;
const STEP = 2;
const [KEY, NESTED, JSON_VALUE] = [1, 2, 16];

/** True for the first bytes of the log of an offline run of wandb. */
export const isWandbFile = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER.length && HEADER.every((byte, i) => bytes[i] === byte);

/**
 * The history of the `.wandb` file of an offline run, a row for each call of `wandb.log`.
 *
 * It is LevelDB's log: blocks of 32 KiB, in which a record is one chunk or several, each with a checksum of its type and its bytes; a block
 * whose rest cannot hold the header of a chunk ends in zeros. A record is a protobuf message, of which the histories are read. A chunk that
 * is still being written waits for its rest.
 *
 * @see https://github.com/wandb/wandb: `wandb/sdk/internal/datastore.py`, `wandb/proto/wandb_internal.proto` (Record, HistoryRecord)
 */
export class WandbReader implements RowReader {
  #rest: Uint8Array<ArrayBufferLike> = new Uint8Array();
  /** Offset of the rest in the file. */
  #at = 0;
  #begun: Uint8Array[] = [];

  push(piece: Uint8Array): Row[] {
    const bytes = new Uint8Array(this.#rest.length + piece.length);
    bytes.set(this.#rest);
    bytes.set(piece, this.#rest.length);
    const view = new DataView(bytes.buffer);
    const rows: Row[] = [];
    let at = 0;
    if (this.#at === 0) {
      if (bytes.length < HEADER.length) {
        this.#rest = bytes;
        return rows;
      }
      at = HEADER.length;
    }
    for (;;) {
      const inBlock = BLOCK - ((this.#at + at) % BLOCK);
      if (inBlock < CHUNK_HEADER) {
        if (bytes.length - at < inBlock) break;
        at += inBlock;
        continue;
      }
      if (bytes.length - at < CHUNK_HEADER) break;
      const length = view.getUint16(at + 4, true);
      const type = bytes[at + 6]!;
      if (type < FULL! || type > LAST! || CHUNK_HEADER + length > inBlock) throw this.#broken(at, "is none");
      const end = at + CHUNK_HEADER + length;
      if (bytes.length < end) break;
      if (crc32(bytes.subarray(at + 6, end)) !== view.getUint32(at, true)) {
        throw this.#broken(at, "has another checksum");
      }
      const chunk = bytes.subarray(at + CHUNK_HEADER, end);
      if (type === FULL || type === FIRST) this.#begun = [];
      this.#begun.push(chunk.slice());
      if (type === FULL || type === LAST) {
        const row = rowOf(joined(this.#begun));
        if (row) rows.push(row);
        this.#begun = [];
      } else if (type !== FIRST && type !== MIDDLE) throw this.#broken(at, "is none");
      at = end;
    }
    this.#rest = bytes.slice(at);
    this.#at += at;
    return rows;
  }

  end(): Row[] {
    return [];
  }

  #broken(at: number, how: string): RangeError {
    return new RangeError(
      `Cannot read a file of wandb: each chunk must be one of LevelDB's log, but the one at byte ${this.#at + at} ${how}.`,
    );
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const text = (bytes: number | Uint8Array): string =>
  typeof bytes === "number" ? "" : new TextDecoder().decode(bytes);

/** The metrics of a record; undefined where it is none of the history. */
function rowOf(record: Uint8Array): Row | undefined {
  for (const { number, value } of fields(record)) {
    if (number !== HISTORY || typeof value === "number") continue;
    const row: Record<string, unknown> = {};
    for (const part of fields(value)) {
      if (typeof part.value === "number") continue;
      if (part.number === STEP) {
        for (const one of fields(part.value)) if (one.number === 1) row._step = one.value;
      }
      if (part.number === ITEM) Object.assign(row, itemOf(part.value));
    }
    return row;
  }
  return undefined;
}

function itemOf(item: Uint8Array): Row {
  let key = "";
  const nested: string[] = [];
  let json = "null";
  for (const { number, value } of fields(item)) {
    if (number === KEY) key = text(value);
    if (number === NESTED) nested.push(text(value));
    if (number === JSON_VALUE) json = text(value);
  }
  return { [nested.length > 0 ? nested.join(".") : key]: valueOf(json) };
}

/** Python's NaN and Infinity are no JSON. */
function valueOf(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}
