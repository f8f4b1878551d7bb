import { path as paths } from "#path";
import { page } from "../page";
import type { Files, FileStats } from "./files";
import { bytesOf, type FileStore } from "./store";

/** The files that are open, by their numbers. */
const open = new Map<number, string>();

type Code = "ENOENT" | "EEXIST" | "EINVAL" | "EISDIR" | "ENOTDIR" | "EBADF";

const words: Readonly<Record<Code, string>> = {
  ENOENT: "no such file or directory",
  EEXIST: "file already exists",
  EINVAL: "invalid argument",
  EISDIR: "illegal operation on a directory",
  ENOTDIR: "not a directory",
  EBADF: "bad file descriptor",
};

/** An error as Node throws it. */
function failed(code: Code, call: string, path: string): Error {
  const error = new Error(`${code}: ${words[code]}, ${call} '${path}'`);
  return Object.assign(error, { code, syscall: call, path });
}

const store = (): FileStore => page().files;
const empty = (): Set<string> => page().emptyFolders;

function isFolder(path: string): boolean {
  const here = `${paths.resolve(".")}/`;
  return (
    here.startsWith(path === "/" ? path : `${path}/`) || empty().has(path) || store().list(path) !== undefined
  );
}

function read(file: string, encoding?: "utf8"): Uint8Array | string {
  const path = paths.resolve(file);
  const bytes = store().read(path);
  if (!bytes) throw failed(isFolder(path) ? "EISDIR" : "ENOENT", isFolder(path) ? "read" : "open", file);
  return encoding ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : Uint8Array.from(bytes);
}

function write(file: string, content: string | Uint8Array, flag: "w" | "a" | "wx" = "w"): void {
  const path = paths.resolve(file);
  const folder = paths.dirname(path);
  if (isFolder(path)) throw failed("EISDIR", "open", file);
  if (!isFolder(folder)) throw failed("ENOENT", "open", file);
  const before = flag === "w" ? undefined : store().read(path);
  if (flag === "wx" && before) throw failed("EEXIST", "open", file);
  store().write(path, before ? joined(before, bytesOf(content)) : bytesOf(content));
  empty().delete(folder);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** The number of bytes of a file; undefined if there is none. */
function sizeOf(path: string): number | undefined {
  const { pieces } = store();
  return pieces ? pieces.size(path) : store().read(path)?.length;
}

function statsOf(path: string): FileStats | undefined {
  const size = sizeOf(path);
  if (size === undefined && !isFolder(path)) return undefined;
  return { size: size ?? 0, isFile: () => size !== undefined, isDirectory: () => size === undefined };
}

function makeFolder(folder: string): void {
  for (let path = paths.resolve(folder); !isFolder(path); path = paths.dirname(path)) {
    if (store().read(path)) throw failed("EEXIST", "mkdir", folder);
    empty().add(path);
  }
}

function remove(file: string, force = false): void {
  const path = paths.resolve(file);
  if (!store().read(path)) {
    if (force && !isFolder(path)) return;
    throw failed(isFolder(path) ? "EISDIR" : "ENOENT", "rm", file);
  }
  keepFolder(path);
  store().write(path, undefined);
}

/** As on a disk, a folder stays when its last file goes. */
function keepFolder(path: string): void {
  empty().add(paths.dirname(path));
}

function rename(from: string, to: string): void {
  const [source, target] = [paths.resolve(from), paths.resolve(to)];
  const bytes = store().read(source);
  if (!bytes || !isFolder(paths.dirname(target))) throw failed("ENOENT", "rename", from);
  if (source === target) return;
  store().write(target, bytes);
  remove(source);
}

function opened(fd: number, call: string): string {
  const path = open.get(fd);
  if (path === undefined) throw failed("EBADF", call, String(fd));
  return path;
}

/** Does something, and waits until it is kept. */
async function kept<T>(run: () => T): Promise<T> {
  const value = run();
  await store().settled();
  return value;
}

/** Node's functions on the files of the page. */
export const files: Files = {
  writesWhole: true,
  existsSync: (path) => statsOf(paths.resolve(path)) !== undefined,
  readFileSync: read as Files["readFileSync"],
  writeFileSync: (file, content, o) => write(file, content, o?.flag),
  readdirSync(folder) {
    const path = paths.resolve(folder);
    const names = store().list(path);
    if (!names && !empty().has(path))
      throw failed(store().read(path) ? "ENOTDIR" : "ENOENT", "scandir", folder);
    const inside = [...empty()]
      .filter((one) => paths.dirname(one) === path)
      .map((one) => paths.basename(one));
    return [...new Set([...(names ?? []).map((name) => name.replace(/\/$/, "")), ...inside])].sort();
  },
  statSync: (path) => statsOf(paths.resolve(path)),
  mkdirSync: makeFolder,
  renameSync: rename,
  rmSync: (file, o) => remove(file, o?.force),
  openSync(file, flags) {
    if (flags === "a+" || flags === "wx") write(file, "", flags === "wx" ? "wx" : "a");
    // Tells what is missing in Node's words.
    else if (sizeOf(paths.resolve(file)) === undefined) read(file);
    const fd = 3 + [...open.keys()].reduce((most, one) => Math.max(most, one - 2), 0);
    open.set(fd, paths.resolve(file));
    return fd;
  },
  readSync(fd, bytes, at, length, place) {
    const path = opened(fd, "read");
    const piece =
      store().pieces?.part(path, place, place + length) ??
      (store().read(path) ?? new Uint8Array()).subarray(place, place + length);
    bytes.set(piece, at);
    return piece.length;
  },
  writeSync(fd, bytes, from) {
    write(opened(fd, "write"), bytes.subarray(from), "a");
    return bytes.length - from;
  },
  ftruncateSync(fd, length) {
    const path = opened(fd, "ftruncate");
    store().write(path, (store().read(path) ?? new Uint8Array()).slice(0, length));
  },
  fsyncSync: (fd) => void opened(fd, "fsync"),
  fchmodSync: (fd) => void opened(fd, "fchmod"),
  fchownSync: (fd) => void opened(fd, "fchown"),
  readlinkSync: (file) => {
    throw failed(statsOf(paths.resolve(file)) ? "EINVAL" : "ENOENT", "readlink", file);
  },
  realpathSync(path) {
    if (!statsOf(paths.resolve(path))) throw failed("ENOENT", "realpath", path);
    return paths.resolve(path);
  },
  closeSync: (fd) => {
    opened(fd, "close");
    open.delete(fd);
  },
  promises: {
    readFile: ((file: string, encoding?: "utf8") =>
      kept(() => read(file, encoding))) as Files["promises"]["readFile"],
    writeFile: (file, content) => kept(() => write(file, content)),
    appendFile: (file, content) => kept(() => write(file, content, "a")),
    mkdir: (folder) => kept(() => makeFolder(folder)),
    rename: (from, to) => kept(() => rename(from, to)),
    rm: (file, o) => kept(() => remove(file, o?.force)),
    stat: (path) =>
      kept(() => {
        const stats = statsOf(paths.resolve(path));
        if (!stats) throw failed("ENOENT", "stat", path);
        return stats;
      }),
  },
};
