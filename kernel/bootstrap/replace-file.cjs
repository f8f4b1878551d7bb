"use strict";
// The one way in which the kernel, its commands and the scripts of the repository write a file that somebody may miss.
const fs = require("fs");
const os = require("os");
const path = require("path");
const { Complaint } = require("./steps.cjs");

let count = 0;

/** Follows symbolic links, also one to a file that is not there yet. */
function realPath(file) {
  let target = path.resolve(file);
  for (let links = 0; links < 40; links++) {
    const folder = fs.realpathSync(path.dirname(target));
    target = path.join(folder, path.basename(target));
    let link;
    try {
      link = fs.readlinkSync(target);
    } catch (_noLink) {
      return target;
    }
    target = path.resolve(folder, link);
  }
  throw new Error("ELOOP: too many symbolic links, open '" + file + "'");
}

/** Gives a file the owner and the permissions of the one that it replaces. */
function keepRights(fd, before) {
  try {
    fs.fchownSync(fd, before.uid, before.gid);
  } catch (_notAllowed) {
    // Only an administrator may give a file to another user.
  }
  const mode = before.mode & 0o7777;
  try {
    fs.fchmodSync(fd, mode);
  } catch (error) {
    // Some mounted folders have one mode for all files, and let nobody set it.
    if ((fs.fstatSync(fd).mode & 0o7777) !== mode) throw error;
  }
}

/** On Windows a file cannot be replaced while a virus scanner or an indexer reads it, which takes a moment. */
function rename(from, to) {
  for (let tries = 0; ; tries++) {
    try {
      return fs.renameSync(from, to);
    } catch (error) {
      const mayPass = ["EPERM", "EACCES", "EBUSY"].indexOf(error.code) >= 0;
      if (process.platform !== "win32" || !mayPass || tries === 20) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  }
}

/** A folder that is not ours or is read-only, and a file that is a mount point, let no other file take its place; the file may be written. */
const inPlaceOnly = ["EACCES", "EPERM", "EROFS", "EBUSY", "EXDEV"];

function write(target, content, before, mode) {
  // A rename would replace a file that is read-only, and a folder must be named as one.
  if (before) fs.closeSync(fs.openSync(target, "r+"));
  try {
    writeAside(target, content, before, mode);
  } catch (error) {
    if (!before || inPlaceOnly.indexOf(error.code) < 0) throw error;
    writeInPlace(target, content);
  }
}

function writeAside(target, content, before, mode) {
  const name =
    "." +
    path.basename(target).slice(0, 60) +
    "." +
    process.pid +
    "-" +
    Date.now().toString(36) +
    "-" +
    ++count;
  const part = path.join(path.dirname(target), name + ".part");
  const fd = fs.openSync(part, "wx", mode);
  try {
    try {
      // In place: the file is new.
      fs.writeFileSync(fd, content);
      if (before) keepRights(fd, before);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    rename(part, target);
  } catch (error) {
    fs.rmSync(part, { force: true });
    throw error;
  }
}

/** Writes a file that is there; both contents lie in the folder for temporary files until all of the new one is on the disk. */
function writeInPlace(target, content) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-save-"));
  const old = path.join(folder, path.basename(target) + ".bak");
  const wanted = path.join(folder, path.basename(target));
  let kept = false;
  try {
    const before = fs.readFileSync(target);
    overwrite(old, before, "wx");
    overwrite(wanted, content, "wx");
    try {
      overwrite(target, content, "r+");
    } catch (error) {
      try {
        overwrite(target, before, "r+");
      } catch (_again) {
        kept = true;
        error.whereabouts =
          "What was there could not be put back: it is in " +
          old +
          ", and what was to be written in " +
          wanted +
          ".";
      }
      throw error;
    }
  } finally {
    if (!kept) fs.rmSync(folder, { recursive: true, force: true });
  }
}

function overwrite(file, content, flag) {
  const fd = fs.openSync(file, flag, 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
    // In place: both contents lie elsewhere by now, or the file is new.
    fs.ftruncateSync(fd, bytes.length);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Writes a file so that a failure, a full disk or a kill leaves either all of the old content or all of the new.
 *
 * The content goes to a new file in the same folder, then to the disk, and only then under the name. Permissions are kept, and a symbolic
 * link goes on pointing at the file. Where the folder admits no new file, the file is written in place, with both contents in the folder
 * for temporary files meanwhile. The library has its own, `lib/turnwise/src/base/host/files/replaceFile.ts`, since it also runs in pages and
 * without this package.
 */
function replaceFile(file, content, mode) {
  try {
    const before = fs.statSync(file, { throwIfNoEntry: false });
    // In place: a device or a pipe holds nothing that could be lost.
    if (before && !before.isFile() && !before.isDirectory()) fs.writeFileSync(file, content);
    else write(realPath(file), content, before, mode === undefined ? 0o666 : mode);
  } catch (error) {
    const full = error.code === "ENOSPC" || error.code === "EDQUOT";
    const why = full ? "the disk is full (" + error.message + ")" : error.message;
    const after = error.whereabouts || "What was there is unchanged.";
    const complaint = new Complaint("Cannot write " + file + ": " + why + ". " + after);
    throw Object.assign(complaint, { code: error.code, cause: error });
  }
}

module.exports = { replaceFile: replaceFile };
