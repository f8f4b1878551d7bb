// By hand, and not by proper-lockfile: that renews the time of its lock from a timer, which a job that computes for minutes in
// this thread would starve, and takes over a lock that looks old. Here the lock names process and machine, so a dead owner is
// recognized at once, and a living one however busy it is.

import { checksum } from "../../checksum";
import { bytesOf } from "./store";
import { files as fs } from "#files";
import { machine } from "#machine";
import { path } from "#path";

/** The files that this thread is writing, with what it wrote into their locks. */
const held = new Map<string, string>();

/**
 * Takes the right to write a file, which only one process has at a time; `<file>.lock` names that process.
 *
 * @param file an absolute path
 * @throws {RangeError} if a living process writes it, or one of another machine
 */
export function lock(file: string): void {
  const name = `${file}.lock`;
  if (held.has(file)) throw inUse(file, owning(contentOf(name) ?? ""));
  const taken = take(name);
  if ("by" in taken) throw inUse(file, taken.by);
  held.set(file, taken.content);
}

/** Gives the right back. A lock that is no longer this thread's, since someone has deleted it and another taken it, stays. */
export function unlock(file: string): void {
  const own = held.get(file);
  held.delete(file);
  const name = `${file}.lock`;
  if (own !== undefined && contentOf(name) === own) fs.rmSync(name, { force: true });
}

/**
 * Makes a lock, or takes over that of a dead process. Several may find the same dead process: the one that removes its lock holds
 * another lock meanwhile, whose name is of this very text, so that nobody removes the lock that comes next.
 */
function take(name: string): { readonly content: string } | { readonly by: string } {
  const content = created(name);
  if (content !== undefined) return { content };
  const found = contentOf(name);
  if (found !== undefined) {
    const owner = livingOwner(found);
    if (owner !== undefined) return { by: owner };
    const guard = `${name}.${checksum(bytesOf(found))}`;
    const guarded = take(guard);
    if ("by" in guarded) return guarded;
    try {
      if (contentOf(name) === found) fs.rmSync(name, { force: true });
    } finally {
      fs.rmSync(guard, { force: true });
    }
  }
  const second = created(name);
  return second === undefined ? { by: owning(contentOf(name) ?? "") } : { content: second };
}

/** Contents of the new lock; undefined if there already is one. */
function created(name: string): string | undefined {
  try {
    const content = `${machine.pid}@${machine.hostName()} ${new Date().toISOString()}`;
    // In place: "wx" refuses a file that is there.
    fs.writeFileSync(name, content, { flag: "wx" });
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

/** Undefined if the owner has just removed it. */
function contentOf(name: string): string | undefined {
  try {
    return fs.readFileSync(name, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

interface Owner {
  readonly pid: number;
  /** Undefined in a lock of an early version, as is the time. */
  readonly host: string | undefined;
  readonly since: Date | undefined;
}

/** Undefined if a process has just made the lock and not yet written its name. */
function ownerIn(text: string): Owner | undefined {
  const [, pid, host, time] = /^(\d+)(?:@(\S*))?(?: (\S+))?\s*$/.exec(text) ?? [];
  if (pid === undefined) return undefined;
  const since = new Date(time ?? NaN);
  return { pid: Number(pid), host, since: Number.isNaN(since.getTime()) ? undefined : since };
}

/** The owner as an error names it. */
function owning(text: string): string {
  const owner = ownerIn(text);
  if (!owner) return "another process does";
  const { pid, host, since } = owner;
  const where = host === undefined || host === machine.hostName() ? "" : ` of ${host}`;
  const own = where === "" && pid === machine.pid ? " (this one)" : "";
  const here = where === "" && host !== undefined ? ` on ${host}` : where;
  const time = since ? `, since ${since.toISOString().replace("T", " ").slice(0, 19)} UTC` : "";
  return `process ${pid}${own}${here} does${time}`;
}

/** The process that must be assumed to be writing the file; undefined if it is dead. */
function livingOwner(text: string): string | undefined {
  const owner = ownerIn(text);
  if (!owner) return owning(text);
  const { pid, host, since } = owner;
  // The disk may be shared: from here, nobody can see whether a process of another machine still runs.
  if (host !== undefined && host !== machine.hostName()) return owning(text);
  // With our own number, either another thread of this process has taken it, or a killed process that had the same number.
  const alive =
    pid === machine.pid ? since !== undefined && since >= machine.startedAt() : machine.isAlive(pid);
  return alive ? owning(text) : undefined;
}

function inUse(file: string, owner: string): RangeError {
  return new RangeError(
    `Cannot write ${file}: only one process at a time may write it, and ${owner} ` +
      `(if it does not, delete ${path.basename(file)}.lock).`,
  );
}
