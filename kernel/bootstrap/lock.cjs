"use strict";
// The lock under which packages are installed: no package is there yet that could provide one.
const fs = require("fs");
const path = require("path");
const steps = require("./steps.cjs");

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The process that holds the lock; 0 if it is free. */
function holder(file) {
  try {
    return Number(fs.readFileSync(file, "utf8"));
  } catch (_free) {
    return 0;
  }
}

/** Whether the lock is held by a process that is gone. A free lock is not stale: another process may be taking it. */
function isStale(file) {
  const pid = holder(file);
  return pid !== 0 && (pid === process.pid || !isAlive(pid));
}

/** Tries to become the holder. The file appears as a whole, by a link, so that nobody ever reads it half-written. */
function take(file) {
  const own = file + "." + process.pid;
  // In place: a file of this process alone.
  fs.writeFileSync(own, String(process.pid));
  try {
    fs.linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  } finally {
    fs.unlinkSync(own);
  }
}

/** Removes a lock whose holder is gone. It is moved aside first; if it turns out to be a new one, it is put back. */
function clearStale(file) {
  if (!isStale(file)) return;
  const aside = file + ".stale." + process.pid;
  try {
    fs.renameSync(file, aside);
    if (!isStale(aside)) fs.linkSync(aside, file);
  } catch (_another) {
    return;
  } finally {
    if (fs.existsSync(aside)) fs.unlinkSync(aside);
  }
}

/**
 * Runs work that changes node_modules or compiled files, one process at a time: starting Lab in one terminal and
 * the tests in another makes the second wait. A lock whose holder is gone is taken over. If none can be written (a
 * read-only folder), nothing can be changed either, so the work runs and says what it could not write.
 */
async function exclusively(root, work) {
  const file = path.join(root, ".turnwise", "installing");
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    clearStale(file);
    if (!take(file)) {
      await steps.step(
        "Waiting for process " + holder(file) + ", which installs or builds here",
        async () => {
          while (!take(file)) {
            clearStale(file);
            await new Promise((resolve) => setTimeout(resolve, 200));
          }
        },
      );
    }
  } catch (_readOnly) {
    return work();
  }
  const release = () => {
    if (fs.existsSync(file)) fs.unlinkSync(file);
  };
  process.once("exit", release);
  try {
    return await work();
  } finally {
    release();
    process.removeListener("exit", release);
  }
}

module.exports = { exclusively: exclusively };
