import { files } from "#files";
import { machine } from "#machine";
import { path as paths } from "#path";
import { bytesOf } from "./store";

/** A file under way, which takes the place of another once it is complete. */
export interface Replacement {
  /** @throws {RangeError} if the bytes cannot be written; the new file is then gone, and the old one as it was */
  write(bytes: Uint8Array): void;
  /** Puts the new file in the place of the old one. */
  commit(): void;
  /** Removes the new file; the old one is as it was. */
  abandon(): void;
}

let count = 0;

/**
 * Writes a file so that a failure, a full disk or a kill leaves either all of the old content or all of the new.
 *
 * The content goes to a new file in the same folder, then to the disk, and only then under the name. Permissions are kept, and a
 * symbolic link goes on pointing at the file.
 *
 * @throws {RangeError} if the file cannot be written; it is then as it was
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
  const name = `.${paths.basename(target).slice(0, 60)}.${machine.pid}-${Date.now().toString(36)}-${++count}.part`;
  const part = paths.join(paths.dirname(target), name);
  const fd = failing(file, () => files.openSync(part, "wx", 0o666));
  let open = true;
  const close = (): void => {
    if (!open) return;
    open = false;
    files.closeSync(fd);
  };
  const abandon = (): void => {
    try {
      close();
    } finally {
      files.rmSync(part, { force: true });
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
  return {
    write: (bytes) =>
      orAbandon(() => {
        for (let at = 0; at < bytes.length;) at += files.writeSync(fd, bytes, at);
      }),
    commit: () =>
      orAbandon(() => {
        if (before) keepRights(fd, before);
        files.fsyncSync(fd);
        close();
        files.renameSync(part, target);
      }),
    abandon,
  };
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
  const { code, message } = error as NodeJS.ErrnoException;
  const full = code === "ENOSPC" || code === "EDQUOT";
  return new RangeError(
    `Cannot write ${file}: ${full ? `the disk is full (${message})` : message}. What was there is unchanged.`,
    { cause: error },
  );
}
