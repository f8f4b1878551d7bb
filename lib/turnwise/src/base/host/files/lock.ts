// By hand, and not by proper-lockfile: that renews the time of its lock from a timer, which a job that computes for minutes in
// this thread would starve, and takes over a lock that looks old. Here the lock names process and machine, so a dead owner is
// recognised at once, and a living one however busy it is.

import { files as fs } from "#files";
import { machine } from "#machine";
import { path } from "#path";

/** The files that this thread is writing. */
const held = new Set<string>();

/**
 * Takes the right to write a file, which only one process has at a time; `<file>.lock` names that process.
 *
 * @param file an absolute path
 * @throws {RangeError} if a living process writes it, or one of another machine
 */
export function lock(file: string): void {
  const name = `${file}.lock`;
  if (held.has(file)) throw inUse(file, owning(fs.existsSync(name) ? fs.readFileSync(name, "utf8") : ""));
  if (!created(name)) {
    const found = contentOf(name);
    const owner = found === undefined ? undefined : livingOwner(found);
    if (owner !== undefined) throw inUse(file, owner);
    if (found !== undefined) putAside(file, found);
    if (!created(name)) throw inUse(file, owning(contentOf(name) ?? ""));
  }
  held.add(file);
}

export function unlock(file: string): void {
  held.delete(file);
  fs.rmSync(`${file}.lock`, { force: true });
}

function created(name: string): boolean {
  try {
    const since = new Date().toISOString();
    // In place: "wx" refuses a file that is there.
    fs.writeFileSync(name, `${machine.pid}@${machine.hostName()} ${since}`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
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

/** Removes the lock of a dead process, but not that of another process which has just done so itself. */
function putAside(file: string, expected: string): void {
  const aside = `${file}.lock.${machine.pid}`;
  try {
    fs.renameSync(`${file}.lock`, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const found = fs.readFileSync(aside, "utf8");
  if (found === expected) {
    fs.rmSync(aside);
    return;
  }
  fs.renameSync(aside, `${file}.lock`);
  throw inUse(file, owning(found));
}

function inUse(file: string, owner: string): RangeError {
  return new RangeError(
    `Cannot write ${file} as one process at a time must write it: ${owner} ` +
      `(if it does not, delete ${path.basename(file)}.lock)`,
  );
}
