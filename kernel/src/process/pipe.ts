import { writeSync } from "node:fs";

// Held here, as a cell may replace any of them: by a spy that itself prints, for one.
const { stringify, parse } = JSON;
const write = writeSync;

/** A message between two processes of the kernel; `t` discriminates its union. */
interface Tagged {
  t: string;
}

/** No text has so small a number in its first four bytes: what else is written to a pipe is noticed. */
const largest = 2 ** 29;

/** A message on its way: JSON and binary parts. */
export interface Packet<M extends Tagged> {
  body: M;
  buffers: Buffer[];
}

/** `u32 size of the rest, u32 size of the JSON, JSON, then u32 size and bytes of each buffer`, little endian. */
export function encodePacket<M extends Tagged>(
  body: NoInfer<M>,
  buffers: readonly Uint8Array[] = [],
): Buffer {
  const json = Buffer.from(stringify(body));
  const size = 4 + json.length + buffers.reduce((sum, buffer) => sum + 4 + buffer.length, 0);
  if (size >= largest) {
    throw new RangeError(
      `Cannot send what is shown as it must have less than ${largest.toLocaleString("en")} bytes: ${size.toLocaleString("en")}`,
    );
  }
  const packet = Buffer.allocUnsafe(4 + size);
  packet.writeUInt32LE(size, 0);
  packet.writeUInt32LE(json.length, 4);
  json.copy(packet, 8);
  let at = 8 + json.length;
  for (const buffer of buffers) {
    packet.writeUInt32LE(buffer.length, at);
    packet.set(buffer, at + 4);
    at += 4 + buffer.length;
  }
  return packet;
}

/**
 * Cuts a byte stream into packets.
 *
 * `M` is the union of what the other end sends. Both ends come from one build, so the bytes are trusted to be one of it.
 */
export class PacketReader<M extends Tagged> {
  private chunks: Buffer[] = [];
  private available = 0;
  private wanted = 4;

  constructor(private readonly handle: (packet: Packet<M>) => void) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.available += chunk.length;
    // A handler may itself push (a cell that polls), so each packet leaves the reader before it is handled.
    for (let packet = this.take(); packet; packet = this.take()) this.handle(packet);
  }

  private take(): Packet<M> | undefined {
    // Large packets come in many chunks, which are joined once and not at every chunk.
    if (this.available < this.wanted) return undefined;
    const data = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    const size = data.readUInt32LE(0);
    if (size >= largest) throw new Error(`a size of ${size.toLocaleString("en")} bytes`);
    this.wanted = 4 + size;
    const complete = data.length >= this.wanted;
    const rest = complete ? data.subarray(this.wanted) : data;
    const packet = complete ? decode<M>(data.subarray(4, this.wanted)) : undefined;
    this.chunks = rest.length > 0 ? [rest] : [];
    this.available = rest.length;
    if (complete) this.wanted = 4;
    return packet;
  }
}

function decode<M extends Tagged>(data: Buffer): Packet<M> {
  const jsonEnd = 4 + data.readUInt32LE(0);
  if (jsonEnd > data.length) throw new Error("a part that is longer than the whole");
  const body = parse(data.toString("utf8", 4, jsonEnd)) as M;
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
