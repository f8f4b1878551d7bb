import { descendants } from "../../process/descendants.js";

/** Time that the processes of cells may take to end once the front end is gone. */
const farewellMs = 500;

let isEnding = false;

/**
 * The front is gone: nobody can reach this process any more, whatever its main thread does.
 *
 * What cells have started is asked to end, again and again, as the main thread may start more of it; then the whole group
 * ends at once.
 */
export function endWithFront(): void {
  if (isEnding) return;
  isEnding = true;
  const deadline = performance.now() + farewellMs;
  const ask = (): void => {
    const left = descendants(process.pid);
    for (const pid of left) tryKill(pid, "SIGTERM");
    if (left.length > 0 && performance.now() < deadline) return void setTimeout(ask, 20);
    // Those that did not obey it, and may be in a group of their own.
    for (const pid of left) tryKill(pid, "SIGKILL");
    if (process.platform !== "win32") tryKill(-process.pid, "SIGKILL");
    process.kill(process.pid, "SIGKILL");
  };
  ask();
}

/** Sends a signal to a process, if it is still there. */
export function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
