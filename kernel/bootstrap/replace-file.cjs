"use strict";
// The one way in which the kernel, its commands and the scripts of the repository write a file that somebody may miss.
const fs = require("fs");
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

function writeAside(target, content, before, mode) {
  // A rename would replace a file that is read-only, and a folder must be named as one.
  if (before) fs.closeSync(fs.openSync(target, "r+"));
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

/**
 * Writes a file so that a failure, a full disk or a kill leaves either all of the old content or all of the new.
 *
 * The content goes to a new file in the same folder, then to the disk, and only then under the name. Permissions are kept, and a symbolic
 * link goes on pointing at the file. The library has its own, `lib/turnwise/src/base/host/files/replaceFile.ts`, since it also runs in pages and
 * without this package.
 */
function replaceFile(file, content, mode) {
  try {
    const before = fs.statSync(file, { throwIfNoEntry: false });
    // In place: a device or a pipe holds nothing that could be lost.
    if (before && !before.isFile() && !before.isDirectory()) fs.writeFileSync(file, content);
    else writeAside(realPath(file), content, before, mode === undefined ? 0o666 : mode);
  } catch (error) {
    const full = error.code === "ENOSPC" || error.code === "EDQUOT";
    const why = full ? "the disk is full (" + error.message + ")" : error.message;
    const complaint = new Complaint("Cannot write " + file + ": " + why + ". What was there is unchanged.");
    throw Object.assign(complaint, { code: error.code, cause: error });
  }
}

module.exports = { replaceFile: replaceFile };
