import { files } from "turnwise/internal/base/host/index";

const PIECE = 1 << 18;

/** Part of a file. */
export function partOf(fd: number, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  let read = 0;
  while (read < bytes.length) {
    const more = files.readSync(fd, bytes, read, bytes.length - read, from + read);
    if (more === 0)
      throw new RangeError(
        `Cannot read a file: it must not shrink meanwhile, but ${bytes.length - read} bytes are gone.`,
      );
    read += more;
  }
  return bytes;
}

/** A file in pieces, the first of them at `from`, so that no more than one of them is in memory. */
export function* piecesOf(file: string, from = 0): Generator<Uint8Array, void, undefined> {
  const { size } = files.statSync(file, { throwIfNoEntry: false })!;
  const fd = files.openSync(file, "r");
  try {
    for (let at = from; at < size; at += PIECE) yield partOf(fd, at, Math.min(size, at + PIECE));
  } finally {
    files.closeSync(fd);
  }
}
