// A link that holds the code of a cell: compressed, in the part of an address that no browser sends to a server.

/** Contents of a link. */
export interface SharedCell {
  readonly code: string;
  /** The id of the cell that was shared: the code goes below it where the notebook still has it. */
  readonly below?: string;
}

const key = "turnwise-cell";

/** Longer links are cut by mail and chat programs. */
const longestLink = 8_000;
/** A few bytes can stand for gigabytes. */
const longestText = 200_000;

const wrong = (must: string, is: string): RangeError =>
  new RangeError(`Cannot read the cell of this link: ${must}, but ${is}.`);

/** The address with the cell in it. */
export async function linkTo(address: string, cell: SharedCell): Promise<string> {
  const packed = await through(
    new CompressionStream("deflate-raw"),
    new TextEncoder().encode(JSON.stringify(cell)),
  );
  const text = btoa(String.fromCharCode(...packed))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  const link = `${address}#${key}=${text}`;
  if (link.length > longestLink)
    throw new RangeError(
      `Cannot share this cell: its link must have at most ${count(longestLink)} characters, since mail and chat cut ` +
        `longer ones, but it would have ${count(link.length)}. Divide the cell, or download the notebook and send that.`,
    );
  return link;
}

/** The cell that an address holds; undefined if it holds none. */
export async function cellOf(address: string): Promise<SharedCell | undefined> {
  const text = new RegExp(`#${key}=(.*)$`, "s").exec(address)?.[1];
  if (text === undefined) return undefined;
  if (text.length > longestLink)
    throw wrong(`it must have at most ${count(longestLink)} characters`, `it has ${count(text.length)}`);
  if (!/^[\w-]+$/.test(text))
    throw wrong("it must have been copied completely", "it has characters that no such link has");
  const found = parsed(await unpacked(text));
  const { code, below } = found ?? {};
  if (typeof code !== "string" || !(below === undefined || typeof below === "string"))
    throw wrong("it must hold the code of a cell", "it holds something else");
  return below === undefined ? { code } : { code, below };
}

async function unpacked(text: string): Promise<string> {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) =>
      sign.charCodeAt(0),
    );
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await through(new DecompressionStream("deflate-raw"), bytes),
    );
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw wrong("it must have been copied completely", "a part is missing or changed");
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

const count = (n: number): string => n.toLocaleString("en");

/** Sends bytes through a stream, as far as these are not too many. */
async function through(
  stream: { readable: ReadableStream; writable: WritableStream },
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // What is wrong with the bytes is told by the reader.
  void writer.write(bytes).catch(() => undefined);
  void writer.close().catch(() => undefined);
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
  const parts: number[] = [];
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    parts.push(...value!);
    if (parts.length > longestText) {
      await reader.cancel();
      throw wrong(
        `its code must have at most ${count(longestText)} characters`,
        "it has more when it is unpacked",
      );
    }
  }
  return Uint8Array.from(parts);
}
