"use strict";
const spawn = require("child_process").spawn;
const Complaint = require("./steps.cjs").Complaint;

const children = new Set();

// A command that this process started must not outlive it, however it ends.
process.on("exit", () => {
  children.forEach((child) => kill(child, "SIGKILL"));
});

function kill(child, signal) {
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (_gone) {
    child.kill(signal);
  }
}

/**
 * Runs a command to its end and resolves to { code, signal, output, timedOut }; it never rejects on an exit code.
 * The command gets its own process group, so that stopping it stops what it started.
 */
function run(file, args, options) {
  const o = options || {};
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: o.cwd,
      env: o.env || process.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
      shell: Boolean(o.shell),
      windowsHide: true,
    });
    children.add(child);
    let output = "";
    let partial = "";
    let timedOut = false;
    const timer = o.timeoutMs
      ? setTimeout(() => {
          timedOut = true;
          kill(child, "SIGKILL");
        }, o.timeoutMs)
      : undefined;
    const onData = (data) => {
      output = (output + data).slice(-200000);
      if (!o.onLine) return;
      const lines = (partial + data).split(/\r?\n|\r/);
      partial = lines.pop();
      lines.forEach((line) => o.onLine(line, () => kill(child, "SIGKILL")));
    };
    child.stdout.setEncoding("utf8").on("data", onData);
    child.stderr.setEncoding("utf8").on("data", onData);
    let stoppedBy = "";
    const interrupted = (signal) => {
      stoppedBy = signal;
      kill(child, "SIGTERM");
    };
    process.on("SIGINT", interrupted);
    process.on("SIGTERM", interrupted);
    const settle = (how, value) => {
      if (timer) clearTimeout(timer);
      children.delete(child);
      process.removeListener("SIGINT", interrupted);
      process.removeListener("SIGTERM", interrupted);
      how(value);
    };
    child.on("error", (error) => settle(reject, error));
    child.on("close", (code, signal) => {
      if (stoppedBy) {
        process.exitCode = stoppedBy === "SIGINT" ? 130 : 143;
        settle(reject, new Complaint("Stopped by " + stoppedBy + "; the next start goes on from here."));
      } else {
        settle(resolve, {
          code: code === null ? -1 : code,
          signal: signal,
          output: output,
          timedOut: timedOut,
        });
      }
    });
  });
}

/** The last lines of a command's output, for a complaint. */
function tail(output, count) {
  return output
    .split(/\r?\n/)
    .filter((line) => line.trim())
    .slice(-(count || 12))
    .join("\n");
}

module.exports = { run: run, tail: tail };
