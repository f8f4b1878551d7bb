/** Files that are no log, by their first bytes. */
const magics: readonly (readonly [title: string, start: readonly number[]])[] = [
  ["a gzip archive", [0x1f, 0x8b]],
  ["a zip archive, as checkpoints of PyTorch are", [0x50, 0x4b, 0x03, 0x04]],
  ["a Parquet file", [0x50, 0x41, 0x52, 0x31]],
  ["a pickle of Python", [0x80]],
];

/**
 * The bytes of a log as UTF-8, from pieces that may end anywhere: UTF-16 is decoded where a byte order mark says so, and bytes of 0
 * at the start, which a rotated log begins with, are left out.
 */
export class PlainBytes {
  #head: Uint8Array | undefined = new Uint8Array();
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  /** Number of zero bytes at the start. */
  zeros = 0;

  /** @throws {RangeError} if the file is known to hold no log */
  push(piece: Uint8Array): Uint8Array {
    if (this.#head === undefined) return this.#plain(piece);
    const head = new Uint8Array(this.#head.length + piece.length);
    head.set(this.#head);
    head.set(piece, this.#head.length);
    const start = head.findIndex((byte) => byte !== 0);
    if (start < 0 || head.length - start < 4) {
      this.#head = head;
      return new Uint8Array();
    }
    return this.#begin(head.subarray(start), start);
  }

  /** Rest of a file of less than 4 bytes. */
  end(): Uint8Array {
    const head = this.#head ?? new Uint8Array();
    const start = head.findIndex((byte) => byte !== 0);
    this.zeros ||= start < 0 ? head.length : start;
    this.#head = undefined;
    return start < 0 ? new Uint8Array() : head.subarray(start);
  }

  #begin(head: Uint8Array, zeros: number): Uint8Array {
    this.#head = undefined;
    this.zeros = zeros;
    const magic = magics.find(([, start]) => start.every((byte, i) => head[i] === byte));
    if (magic) {
      throw new RangeError(
        `Cannot read a log: it must be text or an event file of TensorBoard, but this is ${magic[0]}.`,
      );
    }
    if (head[0] === 0xff && head[1] === 0xfe) this.#decoder = new TextDecoder("utf-16le");
    if (head[0] === 0xfe && head[1] === 0xff) this.#decoder = new TextDecoder("utf-16be");
    return this.#plain(head);
  }

  #plain(piece: Uint8Array): Uint8Array {
    return this.#decoder ? new TextEncoder().encode(this.#decoder.decode(piece, { stream: true })) : piece;
  }
}

/** The same of a whole file. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  const plain = new PlainBytes();
  const begun = plain.push(bytes);
  return begun.length > 0 ? begun : plain.end();
}
