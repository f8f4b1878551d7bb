import { files, path, type FileStats } from "turnwise/browser";

/** Replacement of Node's `fs` in cells of a page: its usual functions, on the files of the page. */

type Encoding = string | { readonly encoding?: string | null; readonly flag?: string } | null;
type Content = string | Uint8Array;
type Name = string | URL;

interface BufferMaker {
  from(bytes: Uint8Array): Uint8Array;
}

const nameOf = (name: Name): string => (typeof name === "string" ? name : decodeURIComponent(name.pathname));

function encodingOf(o: Encoding | undefined): string | undefined {
  return (typeof o === "object" ? o?.encoding : o) ?? undefined;
}

/** As text where an encoding is named, else as bytes, in a Buffer where the page has one. */
function given(bytes: Uint8Array, o: Encoding | undefined): string | Uint8Array {
  const encoding = encodingOf(o);
  if (encoding !== undefined) {
    const name =
      encoding === "latin1" || encoding === "binary" ? "iso-8859-1" : encoding.replace(/^utf8$/, "utf-8");
    return new TextDecoder(name, { ignoreBOM: true }).decode(bytes);
  }
  const { Buffer } = globalThis as unknown as { Buffer?: BufferMaker };
  return Buffer ? Buffer.from(bytes) : bytes;
}

function flagOf(o: Encoding | undefined, otherwise: "w" | "a"): "w" | "a" | "wx" {
  const flag = (typeof o === "object" ? o?.flag : undefined) ?? otherwise;
  if (flag === "w" || flag === "a" || flag === "wx") return flag;
  throw new RangeError(`Cannot write a file: flag must be "w", "a" or "wx" in a page, got "${flag}".`);
}

export const existsSync = (name: Name): boolean => files.existsSync(nameOf(name));

export const readFileSync = (name: Name, o?: Encoding): string | Uint8Array =>
  given(files.readFileSync(nameOf(name)), o);

export const writeFileSync = (name: Name, content: Content, o?: Encoding): void =>
  files.writeFileSync(nameOf(name), content, { flag: flagOf(o, "w") });

export const appendFileSync = (name: Name, content: Content, o?: Encoding): void =>
  files.writeFileSync(nameOf(name), content, { flag: flagOf(o, "a") });

export const readdirSync = (name: Name): string[] => files.readdirSync(nameOf(name));

export const mkdirSync = (name: Name): void => void files.mkdirSync(nameOf(name), { recursive: true });

export const renameSync = (from: Name, to: Name): void => files.renameSync(nameOf(from), nameOf(to));

export const copyFileSync = (from: Name, to: Name): void =>
  files.writeFileSync(nameOf(to), files.readFileSync(nameOf(from)));

/** A folder is removed with what is in it, where `recursive` asks for that. */
export function rmSync(name: Name, o: { readonly force?: boolean; readonly recursive?: boolean } = {}): void {
  const target = nameOf(name);
  if (o.recursive && files.statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
    for (const one of files.readdirSync(target)) rmSync(path.join(target, one), o);
  } else files.rmSync(target, o);
}

export const unlinkSync = (name: Name): void => files.rmSync(nameOf(name));

export function statSync(name: Name, o?: { readonly throwIfNoEntry?: boolean }): unknown {
  const found = files.statSync(nameOf(name), { throwIfNoEntry: false });
  // Reading tells what is missing in Node's words.
  if (!found && o?.throwIfNoEntry !== false) files.readFileSync(nameOf(name));
  return found;
}

export const accessSync = (name: Name): void => void statSync(name);

/** A folder is not a link here. */
export const realpathSync = (name: Name): string => path.resolve(nameOf(name));

export function writeSync(): never {
  throw new RangeError(
    "Cannot write to an open file: it must be written whole in a page. Use writeFileSync.",
  );
}

interface Promises {
  readFile(name: Name, o?: Encoding): Promise<string | Uint8Array>;
  writeFile(name: Name, content: Content, o?: Encoding): Promise<void>;
  appendFile(name: Name, content: Content): Promise<void>;
  mkdir(name: Name): Promise<void>;
  rename(from: Name, to: Name): Promise<void>;
  rm(name: Name, o?: { readonly force?: boolean; readonly recursive?: boolean }): Promise<void>;
  unlink(name: Name): Promise<void>;
  readdir(name: Name): Promise<string[]>;
  stat(name: Name): Promise<FileStats>;
  access(name: Name): Promise<void>;
}

/** Each is over when what it has written is kept. */
export const promises: Promises = {
  readFile: async (name, o) => readFileSync(name, o),
  writeFile: async (name, content, o) =>
    flagOf(o, "w") === "a"
      ? files.promises.appendFile(nameOf(name), content)
      : files.promises.writeFile(nameOf(name), content),
  appendFile: async (name, content) => files.promises.appendFile(nameOf(name), content),
  mkdir: async (name) => void (await files.promises.mkdir(nameOf(name), { recursive: true })),
  rename: async (from, to) => files.promises.rename(nameOf(from), nameOf(to)),
  rm: async (name, o) => rmSync(name, o),
  unlink: async (name) => files.promises.rm(nameOf(name)),
  readdir: async (name) => readdirSync(name),
  stat: async (name) => files.promises.stat(nameOf(name)),
  access: async (name) => void (await files.promises.stat(nameOf(name))),
};

export default {
  existsSync,
  readFileSync,
  writeFileSync,
  appendFileSync,
  readdirSync,
  mkdirSync,
  renameSync,
  copyFileSync,
  rmSync,
  unlinkSync,
  statSync,
  accessSync,
  realpathSync,
  writeSync,
  promises,
};
