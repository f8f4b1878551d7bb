import type { Row, RowReader } from "../row";
import { crc32c } from "./crc32c";
import { fields } from "./protobuf";

const HEADER = 12;
const FOOTER = 4;
/** The longest record that is read, in bytes. */
const LONGEST = 1 << 30;

/**
 * Scalars of a TensorBoard event file, a row for each event: `{ step, tag: value, ... }`.
 *
 * A record is its length, a checksum of that, the event, and a checksum of it. What is no scalar (texts, pictures, histograms)
 * is passed over. A record that is still being written waits for its rest.
 *
 * @see https://github.com/tensorflow/tensorboard `tensorboard/compat/proto/event.proto`, `summary.proto`, `tensor.proto`
 */
export class EventReader implements RowReader {
  /** The bytes of records that are not whole yet; joined once there are enough of them. */
  #pieces: Uint8Array[] = [];
  #size = 0;
  #needed = HEADER;
  #read = 0;

  push(piece: Uint8Array): Row[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#needed) return [];
    const bytes = joined(this.#pieces, this.#size);
    const view = new DataView(bytes.buffer);
    const rows: Row[] = [];
    let at = 0;
    this.#needed = HEADER;
    while (bytes.length - at >= HEADER) {
      const length = view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000;
      this.#expectChecksum(bytes.subarray(at, at + 8), view.getUint32(at + 8, true));
      this.#expectSize(length);
      const size = HEADER + length + FOOTER;
      const end = at + size;
      if (bytes.length < end) {
        this.#needed = size;
        break;
      }
      const event = bytes.subarray(at + HEADER, end - FOOTER);
      this.#expectChecksum(event, view.getUint32(end - FOOTER, true));
      const row = rowOf(event);
      if (row) rows.push(row);
      this.#read += size;
      at = end;
    }
    this.#pieces = [bytes.slice(at)];
    this.#size = bytes.length - at;
    return rows;
  }

  end(): Row[] {
    return [];
  }

  /** @throws {RangeError} if the record would not fit into memory: no reader of TensorBoard's takes one that long */
  #expectSize(length: number): void {
    if (length <= LONGEST) return;
    throw new RangeError(
      `Cannot read an event file: a record must have at most ${LONGEST} bytes, but the one at byte ${this.#read} has ${length}.`,
    );
  }

  #expectChecksum(bytes: Uint8Array, stored: number): void {
    if (masked(crc32c(bytes)) === stored) return;
    throw new RangeError(
      `Cannot read an event file: the record at byte ${this.#read} does not match its checksum.`,
    );
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** True for the first bytes of an event file. */
export function isEventFile(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return masked(crc32c(bytes.subarray(0, 8))) === view.getUint32(8, true);
}

const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;

/** An event's step and scalars; undefined where it has none. */
function rowOf(event: Uint8Array): Row | undefined {
  let step = 0;
  const scalars: [string, number][] = [];
  for (const { number, value } of fields(event)) {
    if (number === 2 && typeof value === "number") step = value;
    if (number === 5 && typeof value !== "number") for (const one of scalarsOf(value)) scalars.push(one);
  }
  return scalars.length === 0 ? undefined : { step, ...Object.fromEntries(scalars) };
}

function scalarsOf(summary: Uint8Array): [string, number][] {
  return [...fields(summary)].flatMap(({ number, value }) => {
    if (number !== 1 || typeof value === "number") return [];
    let tag = "";
    let scalar: number | undefined;
    for (const part of fields(value)) {
      if (typeof part.value === "number") continue;
      if (part.number === 1) tag = new TextDecoder().decode(part.value);
      if (part.number === 2) scalar = floatOf(part.value);
      if (part.number === 8) scalar = tensorScalar(part.value);
    }
    return scalar === undefined ? [] : [[tag, scalar] as [string, number]];
  });
}

const FLOAT = 1;
const DOUBLE = 2;

/** The number of a tensor of one number, as TensorFlow 2 writes scalars. */
function tensorScalar(tensor: Uint8Array): number | undefined {
  let type = 0;
  let found: number | undefined;
  for (const { number, value } of fields(tensor)) {
    if (number === 1 && typeof value === "number") type = value;
    if (typeof value === "number") continue;
    // Its content as bytes, or its floats (5) or doubles (6).
    if (number !== 4 && number !== 5 && number !== 6) continue;
    if (type === FLOAT && value.length === 4) found = floatOf(value);
    if (type === DOUBLE && value.length === 8) found = viewOf(value).getFloat64(0, true);
  }
  return found;
}

/** The number as it was before it became a float: the shortest decimal that is the same float. */
function floatOf(bytes: Uint8Array): number {
  const value = viewOf(bytes).getFloat32(0, true);
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
