import { files } from "#files";
import { machine } from "#machine";
import { path as paths } from "#path";
import type { FileStats } from "./files";
import { bytesOf } from "./store";

/** A file under way, which takes the place of another once it is complete. */
export interface Replacement {
  /** @throws {RangeError} if the bytes cannot be written; the new file is then gone, and the old one as it was */
  write(bytes: Uint8Array): void;
  /** Replaces the old file with the new one. */
  commit(): void;
  /** Removes the new file; the old one is as it was. */
  abandon(): void;
}

let count = 0;

/**
 * Writes a file so that a failure, a full disk or a kill leaves either all of the old content or all of the new.
 *
 * The content goes to a new file in the same folder, then to the disk, and only then under the name. Permissions are kept, and a
 * symbolic link goes on pointing at the file. Where the folder admits no new file, the file is written in place, with both contents in
 * the folder for temporary files meanwhile.
 *
 * @throws {RangeError} if the file cannot be written; it is then as it was, or the message names the copy of what was there
 */
export function replaceFile(file: string, content: string | Uint8Array): void {
  if (writesInPlace(file)) {
    // In place: nothing is there that could be lost.
    failing(file, () => files.writeFileSync(file, content));
    return;
  }
  const replacement = replacementOf(file);
  replacement.write(bytesOf(content));
  replacement.commit();
}

/**
 * Begins a new file that is written piece by piece; `commit` ends it.
 *
 * @throws {RangeError} if the file cannot be written
 */
export function replacementOf(file: string): Replacement {
  const target = failing(file, () => realPath(paths.resolve(file)));
  const before = files.statSync(target, { throwIfNoEntry: false });
  // A rename would replace a file that is read-only, and a folder must be named as one.
  if (before) failing(file, () => files.closeSync(files.openSync(target, "r+")));
  const { part, fd, aside } = failing(file, () => begun(target, before));
  let [folder, open, lost] = [aside, true, false];
  const close = (): void => {
    if (!open) return;
    open = false;
    files.closeSync(fd);
  };
  const abandon = (): void => {
    try {
      close();
    } finally {
      if (!lost) {
        files.rmSync(part, { force: true });
        if (folder !== undefined) files.rmSync(folder, { force: true, recursive: true });
      }
    }
  };
  const orAbandon = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      abandon();
      throw refused(file, error);
    }
  };
  const takePlace = (): boolean => {
    if (folder !== undefined) return false;
    try {
      if (before) keepRights(fd, before);
      files.fsyncSync(fd);
      close();
      files.renameSync(part, target);
      return true;
    } catch (error) {
      folder = elsewhere(before, error);
      return false;
    }
  };
  const overwrite = (): void => {
    close();
    const old = paths.join(folder!, `${paths.basename(target)}.bak`);
    copy(target, old, "wx");
    try {
      copy(part, target, "r+");
    } catch (error) {
      try {
        copy(old, target, "r+");
      } catch {
        lost = true;
        const whereabouts = `What was there could not be put back: it is in ${old}, and what was to be written in ${part}.`;
        throw Object.assign(error as Error, { whereabouts });
      }
      throw error;
    }
  };
  return {
    write: (bytes) => orAbandon(() => writeAll(fd, bytes)),
    commit: () =>
      orAbandon(() => {
        if (takePlace()) return;
        overwrite();
        abandon();
      }),
    abandon,
  };
}

interface Begun {
  readonly part: string;
  readonly fd: number;
  /** The temporary folder of the part, if it cannot be beside the file. */
  readonly aside?: string;
}

function begun(target: string, before: FileStats | undefined): Begun {
  const name = `.${paths.basename(target).slice(0, 60)}.${machine.pid}-${Date.now().toString(36)}-${++count}.part`;
  const beside = paths.join(paths.dirname(target), name);
  try {
    return { part: beside, fd: files.openSync(beside, "wx", 0o666) };
  } catch (error) {
    const folder = elsewhere(before, error);
    const part = paths.join(folder, paths.basename(target));
    try {
      return { part, fd: files.openSync(part, "wx", 0o600), aside: folder };
    } catch (again) {
      files.rmSync(folder, { force: true, recursive: true });
      throw again;
    }
  }
}

/** A folder that is not ours or is read-only, and a file that is a mount point, let no other file take its place; the file may be written. */
const inPlaceOnly = ["EACCES", "EPERM", "EROFS", "EBUSY", "EXDEV"];

/**
 * Says where both contents can be while a file is written in place.
 *
 * @throws the error that was met, if the file cannot be written in place either
 */
function elsewhere(before: FileStats | undefined, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (!before || !machine.temporaryFolder || !inPlaceOnly.includes(code)) throw error;
  return machine.temporaryFolder();
}

const pieceLength = 1 << 20;

function copy(from: string, to: string, flag: "r+" | "wx"): void {
  const source = files.openSync(from, "r");
  try {
    const target = files.openSync(to, flag, 0o600);
    try {
      const piece = new Uint8Array(pieceLength);
      let at = 0;
      for (let n; (n = files.readSync(source, piece, 0, pieceLength, at)) > 0; at += n)
        writeAll(target, piece.subarray(0, n));
      // In place: both contents lie elsewhere by now, or the file is new.
      files.ftruncateSync(target, at);
      files.fsyncSync(target);
    } finally {
      files.closeSync(target);
    }
  } finally {
    files.closeSync(source);
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += files.writeSync(fd, bytes, at);
}

/** Whether a write loses nothing in place: the host writes whole files, or the name is a device or a pipe. */
function writesInPlace(file: string): boolean {
  if (files.writesWhole) return true;
  const stats = failing(file, () => files.statSync(file, { throwIfNoEntry: false }));
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** Follows symbolic links, also one to a file that is not there yet. */
function realPath(path: string): string {
  let target = path;
  for (let links = 0; links < 40; links++) {
    const folder = files.realpathSync(paths.dirname(target));
    target = paths.join(folder, paths.basename(target));
    let link: string;
    try {
      link = files.readlinkSync(target);
    } catch {
      return target;
    }
    target = paths.resolve(folder, link);
  }
  throw new Error(`ELOOP: too many symbolic links, open '${path}'`);
}

function keepRights(fd: number, { mode, uid, gid }: { mode?: number; uid?: number; gid?: number }): void {
  if (uid !== undefined && gid !== undefined) {
    try {
      files.fchownSync(fd, uid, gid);
    } catch {
      // Only an administrator may give a file to another user.
    }
  }
  if (mode !== undefined) files.fchmodSync(fd, mode & 0o7777);
}

function failing<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refused(file, error);
  }
}

function refused(file: string, error: unknown): RangeError {
  const { code, message, whereabouts } = error as NodeJS.ErrnoException & { whereabouts?: string };
  const full = code === "ENOSPC" || code === "EDQUOT";
  return new RangeError(
    `Cannot write ${file}: ${full ? `the disk is full (${message})` : message}. ` +
      (whereabouts ?? "What was there is unchanged."),
    { cause: error },
  );
}
