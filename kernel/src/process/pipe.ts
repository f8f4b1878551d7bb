/* eslint-disable @typescript-eslint/prefer-for-of -- for-of asks a list for its iterator, which a cell may have replaced. */
import { writeSync } from "node:fs";

// Held here, as a cell may replace any of them: by a spy that itself prints, for one.
const { stringify, parse } = JSON;
const write = writeSync;

/** A message between two processes of the kernel; `t` discriminates its union. */
interface Tagged {
  t: string;
}

const largest = 2 ** 29;

/**
 * Every packet begins and ends with these bytes, which no UTF-8 has: what else is written to a pipe, as by a cell that takes its
 * descriptor for a file of its own, is told apart and skipped.
 */
const mark = [0xff, 0x54, 0x57, 0xfe] as const;
const markSize = mark.length;
/** The mark as a number of four bytes. */
const markWord = 0xfe5754ff;
const headSize = markSize + 4;

/** A message on its way: JSON and binary parts. */
export interface Packet<M extends Tagged> {
  body: M;
  buffers: Buffer[];
}

/** `mark, u32 size of what is between, u32 size of the JSON, JSON, then u32 size and bytes of each buffer, mark`, little endian. */
export function encodePacket<M extends Tagged>(
  body: NoInfer<M>,
  buffers: readonly Uint8Array[] = [],
): Buffer {
  const json = Buffer.from(stringify(body));
  let size = 4 + json.length;
  for (let i = 0; i < buffers.length; i++) size += 4 + buffers[i]!.length;
  if (size >= largest) {
    throw new RangeError(
      `Cannot send what is shown: it must have less than ${largest.toLocaleString("en")} bytes, got ${size.toLocaleString("en")}.`,
    );
  }
  const packet = Buffer.allocUnsafe(headSize + size + markSize);
  packet.writeUInt32LE(markWord, 0);
  packet.writeUInt32LE(size, markSize);
  packet.writeUInt32LE(json.length, headSize);
  json.copy(packet, headSize + 4);
  let at = headSize + 4 + json.length;
  for (let i = 0; i < buffers.length; i++) {
    const buffer = buffers[i]!;
    packet.writeUInt32LE(buffer.length, at);
    packet.set(buffer, at + 4);
    at += 4 + buffer.length;
  }
  packet.writeUInt32LE(markWord, at);
  return packet;
}

/**
 * Cuts a byte stream into packets.
 *
 * `M` is the union of what the other end sends. Both ends come from one build, so the bytes of a packet are trusted to be one of it.
 */
export class PacketReader<M extends Tagged> {
  private chunks: Buffer[] = [];
  private available = 0;
  private wanted = headSize;

  /**
   * @param skipped called with the bytes between two packets, which nobody of the kernel has written
   * @param o `gaps`: bytes may be missing, so what cannot be read is skipped up to the next packet, instead of an error
   */
  constructor(
    private readonly handle: (packet: Packet<M>) => void,
    private readonly skipped: (bytes: Buffer) => void = () => undefined,
    private readonly o: { readonly gaps?: boolean } = {},
  ) {}

  push(chunk: Buffer): void {
    // Not by `push`, which a cell may have replaced.
    this.chunks[this.chunks.length] = chunk;
    this.available += chunk.length;
    // A handler may itself push (a cell that polls), so each packet leaves the reader before it is handled.
    for (let packet = this.take(); packet; packet = this.take()) this.handle(packet);
  }

  private take(): Packet<M> | undefined {
    // Large packets come in many chunks, which are joined once and not at every chunk.
    while (this.available > 0 && (this.available >= this.wanted || this.wanted <= headSize)) {
      const all = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
      const data = this.sought(all);
      this.keep(data);
      this.wanted = headSize;
      if (data.length < headSize) return undefined;
      try {
        return this.first(data);
      } catch (error) {
        if (this.o.gaps !== true) throw error;
        // Its mark was the end of a packet that is lost, or it misses a part: the next mark is looked for.
        this.wanted = headSize;
        this.keep(data.subarray(1));
      }
    }
    return undefined;
  }

  /** The packet with which the data begin; undefined if it has not come in full. */
  private first(data: Buffer): Packet<M> | undefined {
    const size = data.readUInt32LE(markSize);
    if (size >= largest) throw new Error(`a size of ${size.toLocaleString("en")} bytes`);
    this.wanted = headSize + size + markSize;
    if (data.length < this.wanted) return undefined;
    const end = this.wanted - markSize;
    if (data.readUInt32LE(end) !== markWord) throw new Error("a packet that something else was written into");
    const packet = decode<M>(data.subarray(headSize, end));
    this.keep(data.subarray(this.wanted));
    this.wanted = headSize;
    return packet;
  }

  private keep(rest: Buffer): void {
    this.chunks = rest.length > 0 ? [rest] : [];
    this.available = rest.length;
  }

  /** The data from the next mark on, or from what may become one. */
  private sought(data: Buffer): Buffer {
    let at = 0;
    while (at < data.length && !isMark(data, at)) at++;
    if (at > 0) this.skipped(data.subarray(0, at));
    return data.subarray(at);
  }
}

/** Whether a mark, or the part of it that has come, stands there. */
function isMark(data: Buffer, at: number): boolean {
  for (let i = 0; i < markSize && at + i < data.length; i++) if (data[at + i] !== mark[i]) return false;
  return true;
}

function decode<M extends Tagged>(data: Buffer): Packet<M> {
  const jsonEnd = 4 + data.readUInt32LE(0);
  if (jsonEnd > data.length) throw new Error("a part that is longer than the whole");
  const body = parse(data.toString("utf8", 4, jsonEnd)) as M;
  if (typeof (body as Partial<M> | null)?.t !== "string") throw new Error("a message of no kind");
  const buffers: Buffer[] = [];
  for (let at = jsonEnd; at < data.length;) {
    const size = data.readUInt32LE(at);
    buffers.push(data.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return { body, buffers };
}

// Made on first use: a startup snapshot cannot hold shared memory.
let nap: Int32Array | undefined;

/** Blocks this thread for a number of milliseconds. */
export function rest(ms: number): void {
  nap ??= new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(nap, 0, 0, ms);
}

// An active reader has made room by then; a display of several megabytes is written in dozens of pieces.
const shortestPauseMs = 0.1;

/** Writes all bytes before it returns, so that output leaves even while a cell blocks the event loop. */
export function writeBlocking(fd: number, data: Uint8Array): void {
  let at = 0;
  let pauseMs = shortestPauseMs;
  while (at < data.length) {
    try {
      at += write(fd, data, at, data.length - at);
      pauseMs = shortestPauseMs;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      // The reader is behind: wait a moment instead of spinning, and longer each time.
      rest(pauseMs);
      pauseMs = Math.min(2 * pauseMs, 2);
    }
  }
}
