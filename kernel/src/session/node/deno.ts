import * as fs from "node:fs";
import { hostname, release, tmpdir, freemem, totalmem, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import type { DenoDirEntry, DenoFileInfo, DenoSystem, DenoWriteOptions } from "../deno-system.js";
import { tslabVersions } from "./provided.js";
import { Command } from "./deno-command.js";
import { errors, throwing } from "./deno-errors.js";

type Path = string | URL;
type Entry = Pick<fs.Stats, "isFile" | "isDirectory" | "isSymbolicLink">;

const kind = (entry: Entry): Omit<DenoDirEntry, "name"> => ({
  isFile: entry.isFile(),
  isDirectory: entry.isDirectory(),
  isSymlink: entry.isSymbolicLink(),
});

const infoOf = (stats: fs.Stats): DenoFileInfo => ({
  ...kind(stats),
  size: stats.size,
  mtime: stats.mtime,
  atime: stats.atime,
  birthtime: stats.birthtime,
  mode: stats.mode,
});

function flagOf({ append, create = true, createNew }: DenoWriteOptions): string | number {
  if (append) return createNew ? "ax" : "a";
  if (createNew) return "wx";
  return create ? "w" : fs.constants.O_WRONLY | fs.constants.O_TRUNC;
}

const write = (path: Path, data: string | Uint8Array, o: DenoWriteOptions = {}): void =>
  // In place: as Deno does, on behalf of the cell.
  fs.writeFileSync(path, data, { flag: flagOf(o) as string, ...(o.mode !== undefined && { mode: o.mode }) });

function entries(path: Path): DenoDirEntry[] {
  return fs.readdirSync(path, { withFileTypes: true }).map((one) => ({ name: one.name, ...kind(one) }));
}

const temporary = ({ dir = tmpdir(), prefix = "" }: { dir?: string; prefix?: string } = {}): string =>
  fs.mkdtempSync(join(dir, prefix));

function temporaryFile(o: { dir?: string; prefix?: string; suffix?: string } = {}): string {
  const folder = temporary({ ...o, prefix: `${o.prefix ?? ""}tmp` });
  const file = `${folder}${o.suffix ?? ""}`;
  fs.rmdirSync(folder);
  // In place: a new file.
  fs.writeFileSync(file, "", { flag: "wx" });
  return file;
}

/** The same functions once as they are, and once with promises; both throw Deno's errors. */
const read = throwing((path: Path) => new Uint8Array(fs.readFileSync(path)));
const readText = throwing((path: Path) => fs.readFileSync(path, "utf8"));
const writeIt = throwing(write);
const mkdir = throwing(
  (path: Path, o?: { recursive?: boolean; mode?: number }) => void fs.mkdirSync(path, o),
);
const remove = throwing((path: Path, { recursive = false } = {}) => {
  if (recursive || !fs.lstatSync(path).isDirectory()) fs.rmSync(path, { recursive });
  else fs.rmdirSync(path);
});
const rename = throwing(fs.renameSync);
// In place: as Deno does, on behalf of the cell.
const copyFile = throwing((from: Path, to: Path) => fs.copyFileSync(from, to));
const list = throwing(entries);
const stat = throwing((path: Path) => infoOf(fs.statSync(path)));
const lstat = throwing((path: Path) => infoOf(fs.lstatSync(path)));
const realPath = throwing((path: Path) => fs.realpathSync(path));
const makeTempDir = throwing(temporary);
const makeTempFile = throwing(temporaryFile);

const later =
  <A extends unknown[], R>(run: (...given: A) => R) =>
  async (...given: A): Promise<R> =>
    run(...given);

function stream(name: "stdout" | "stderr"): DenoSystem["stdout"] {
  const writeSync = (data: Uint8Array): number => {
    process[name].write(data);
    return data.length;
  };
  return { writeSync, write: later(writeSync) };
}

const systems: Record<string, string> = { win32: "windows" };
const machines: Record<string, string> = { x64: "x86_64", arm64: "aarch64" };

/** The members of `Deno` that ask the system, on Node. */
export function denoSystem(folder: string): DenoSystem {
  const os = systems[process.platform] ?? process.platform;
  const arch = machines[process.arch] ?? process.arch;
  return {
    readTextFile: later(readText),
    readTextFileSync: readText,
    readFile: later(read),
    readFileSync: read,
    writeTextFile: later(writeIt),
    writeTextFileSync: writeIt,
    writeFile: later(writeIt),
    writeFileSync: writeIt,
    mkdir: later(mkdir),
    mkdirSync: mkdir,
    remove: later(remove),
    removeSync: remove,
    rename: later(rename),
    renameSync: rename,
    copyFile: later(copyFile),
    copyFileSync: copyFile,
    readDir: (path) => ({
      async *[Symbol.asyncIterator]() {
        yield* list(path);
      },
    }),
    readDirSync: list,
    stat: later(stat),
    statSync: stat,
    lstat: later(lstat),
    lstatSync: lstat,
    realPath: later(realPath),
    realPathSync: realPath,
    makeTempDir: later(makeTempDir),
    makeTempDirSync: makeTempDir,
    makeTempFile: later(makeTempFile),
    makeTempFileSync: makeTempFile,
    cwd: () => process.cwd(),
    chdir: (path) => process.chdir(path instanceof URL ? fileURLToPath(path) : path),
    execPath: () => process.execPath,
    hostname,
    osRelease: release,
    memoryUsage: () => process.memoryUsage(),
    systemMemoryInfo: () => ({ total: totalmem(), free: freemem(), available: freemem() }),
    inspect: (value, o) => inspect(value, { depth: 4, ...o }),
    consoleSize: () => ({ columns: 80, rows: 24 }),
    args: [],
    pid: process.pid,
    ppid: process.ppid,
    noColor: true,
    mainModule: pathToFileURL(join(folder, "notebook.ts")).href,
    // The release whose functions these are; Node runs them.
    version: {
      deno: `2.0.0+node.${process.versions.node}`,
      v8: process.versions.v8,
      typescript: tslabVersions().typescript!,
    },
    build: {
      os,
      arch,
      vendor: "unknown",
      target: `${arch}-unknown-${type().toLowerCase()}`,
      standalone: false,
    },
    env: {
      get: (name) => process.env[name],
      set: (name, value) => void (process.env[name] = value),
      has: (name) => process.env[name] !== undefined,
      delete: (name) => void Reflect.deleteProperty(process.env, name),
      toObject: () => ({ ...process.env }) as Record<string, string>,
    },
    permissions: {
      query: async () => ({ state: "granted" }),
      request: async () => ({ state: "granted" }),
    },
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    errors,
    Command,
  };
}
