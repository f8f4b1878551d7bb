// By hand, and not by proper-lockfile: that renews the time of its lock from a timer, which a job that computes for minutes in
// this thread would starve, and takes over a lock that looks old. Here the lock names process and machine, so a dead owner is
// recognised at once, and a living one however busy it is.

import { files as fs } from "#files";
import { machine } from "#machine";
import { path } from "#path";

/** The files that this process is writing. */
const held = new Set<string>();

/**
 * Takes the right to write a file, which only one process has at a time; `<file>.lock` names that process.
 *
 * @param file an absolute path
 * @throws {RangeError} if a living process writes it, or one of another machine
 */
export function lock(file: string): void {
  const name = `${file}.lock`;
  if (held.has(file)) throw inUse(file, String(machine.pid));
  if (!created(name)) {
    const found = fs.readFileSync(name, "utf8");
    const owner = livingOwner(found);
    if (owner !== undefined) throw inUse(file, owner);
    putAside(file, found);
    if (!created(name)) throw inUse(file, fs.readFileSync(name, "utf8"));
  }
  held.add(file);
}

export function unlock(file: string): void {
  held.delete(file);
  fs.rmSync(`${file}.lock`, { force: true });
}

function created(name: string): boolean {
  try {
    fs.writeFileSync(name, `${machine.pid}@${machine.hostName()}`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The process that must be assumed to be writing the file; undefined if it is dead. */
function livingOwner(text: string): string | undefined {
  // A process has just made it and has not yet written its name.
  if (text === "") return "another";
  const [pid, host] = text.split("@") as [string, string | undefined];
  // The disk may be shared: from here, nobody can see whether a process of another machine still runs.
  if (host !== undefined && host !== machine.hostName()) return `${pid} of ${host}`;
  // A lock with our own number that we did not take was left by a killed process that had the same number.
  return Number(pid) !== machine.pid && machine.isAlive(Number(pid)) ? pid : undefined;
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
  throw inUse(file, found);
}

function inUse(file: string, owner: string): RangeError {
  return new RangeError(
    `Cannot write ${file} as one process at a time must write it: process ${owner} does ` +
      `(if it does not, delete ${path.basename(file)}.lock)`,
  );
}
