import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { join } from "node:path";

// Time for the first cells: the work takes some seconds of a processor.
const delayMs = 5_000;

/**
 * Makes the snapshot of the type service for the kernels to come: an installed package has none yet, and neither has
 * one that runs on another Node than before.
 */
export function makeSnapshotLater(): void {
  const timer = setTimeout(() => {
    const maker = spawn(process.execPath, [join(__dirname, "../types/snapshot-make.js"), "--for-kernel"], {
      // The pipe tells it of our end, also when we are killed.
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
