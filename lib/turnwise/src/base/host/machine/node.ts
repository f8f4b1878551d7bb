import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import type { Machine } from "./machine";

export const machine: Machine = {
  pid: process.pid,
  // The same in all threads of the process.
  startedAt: () => new Date(Date.now() - 1000 * process.uptime()),
  hostName: () => os.hostname(),
  isAlive,
  cwd: () => process.cwd(),
  root: path.join(__dirname, "..", "..", "..", "..", ".."),
  program: `${isOnPath(__dirname) ? "" : "npx "}turnwise`,
  cores: () => os.availableParallelism(),
  digest: (text) => createHash("sha256").update(text).digest("hex"),
  unpacked: (bytes) => zlib.brotliDecompressSync(bytes).toString(),
  temporaryFolder: () => fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-save-")),
  deprecated: (text) => process.emitWarning(text, "DeprecationWarning"),
  get errors() {
    return process.stderr;
  },
};

/** Whether pip or `npm install -g` has put the command on the `PATH`; npm puts that of a project nowhere, and npx finds it. */
function isOnPath(folder: string): boolean {
  const parts = folder.split(path.sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return false;
  return (
    parts.includes("turnwise_kernel") ||
    !fs.existsSync(path.join(parts.slice(0, at).join(path.sep) || path.sep, "package.json"))
  );
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
