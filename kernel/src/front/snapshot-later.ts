import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";

// Time for the first cells: the work takes some seconds of a processor.
const delayMs = 5_000;

/**
 * Makes the snapshot of the type service for later kernels: an installed package has none yet, nor has
 * one that runs on a different Node than before.
 */
export function makeSnapshotLater(): void {
  const timer = setTimeout(() => {
    const maker = spawn(process.execPath, [join(__dirname, "../types/snapshot-make.js"), "--for-kernel"], {
      // The pipe closes when this process ends, even when it is killed.
      stdio: ["pipe", "ignore", "ignore"],
    });
    maker.once("error", () => undefined);
    maker.unref();
    process.once("exit", () => maker.kill("SIGKILL"));
    try {
      if (maker.pid !== undefined) setPriority(maker.pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended.
    }
  }, delayMs);
  timer.unref();
}
