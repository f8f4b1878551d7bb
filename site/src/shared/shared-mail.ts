// Messages of the page in memory that it shares with its worker of cells, which can read them while a cell computes. Each is sent in the
// usual way as well, under the same number: the worker takes it once, in whichever way it comes first.

const slot = { count: 0, written: 1, read: 2 } as const;
const dataOffset = 16;
/** A power of two, so that places go on where a count of 32 bits begins again. */
const size = 1 << 20;
/** The number of the message, and the length of its text. */
const headBytes = 8;

export const mailBytes = dataOffset + size;

/** A message and its number. */
export interface Letter {
  readonly serial: number;
  readonly text: string;
}

/** A ring of messages: one side puts, the other takes. */
export class SharedMail {
  private readonly numbers: Int32Array;
  private readonly bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.numbers = new Int32Array(memory, 0, dataOffset / 4);
    this.bytes = new Uint8Array(memory, dataOffset, size);
  }

  /** Writes a message and wakes who waits for one; what does not fit is left out, and only comes in the other way. */
  put({ serial, text }: Letter): void {
    const body = new TextEncoder().encode(text);
    const written = Atomics.load(this.numbers, slot.written);
    const used = (written - Atomics.load(this.numbers, slot.read)) >>> 0;
    if (used + headBytes + body.length > size) return;
    this.write(written, new Uint8Array(Int32Array.of(serial, body.length).buffer));
    this.write(written + headBytes, body);
    Atomics.store(this.numbers, slot.written, (written + headBytes + body.length) | 0);
    Atomics.add(this.numbers, slot.count, 1);
    Atomics.notify(this.numbers, slot.count);
  }

  /** The oldest message that was not dropped; undefined if there is none. */
  first(): Letter | undefined {
    const read = Atomics.load(this.numbers, slot.read);
    if (read === Atomics.load(this.numbers, slot.written)) return undefined;
    const [serial, length] = new Int32Array(this.copy(read, headBytes).buffer);
    return { serial: serial!, text: new TextDecoder().decode(this.copy(read + headBytes, length!)) };
  }

  /** Drops the oldest message. */
  drop(): void {
    const read = Atomics.load(this.numbers, slot.read);
    const [, length] = new Int32Array(this.copy(read, headBytes).buffer);
    Atomics.store(this.numbers, slot.read, (read + headBytes + length!) | 0);
  }

  /** Number of messages put so far. */
  get count(): number {
    return Atomics.load(this.numbers, slot.count);
  }

  /** Lets this thread sleep until more than `count` have been put, but not longer than so many milliseconds. */
  sleep(count: number, ms: number): void {
    Atomics.wait(this.numbers, slot.count, count, ms);
  }

  private write(at: number, from: Uint8Array): void {
    const start = at & (size - 1);
    const head = from.subarray(0, size - start);
    this.bytes.set(head, start);
    this.bytes.set(from.subarray(head.length), 0);
  }

  /** Text is not decoded from shared memory. */
  private copy(at: number, length: number): Uint8Array {
    const start = at & (size - 1);
    const found = new Uint8Array(length);
    const head = this.bytes.subarray(start, start + length);
    found.set(head);
    found.set(this.bytes.subarray(0, length - head.length), head.length);
    return found;
  }
}
