import { Buffer } from "buffer/index.js";
import * as timers from "../library/node/timers.js";

/** What programs expect of Node's `process`, as far as a page can tell. */
function pageProcess(folder: string): object {
  const begun = performance.now();
  const nothing = (): unknown => shim;
  const nanoseconds = (): bigint => BigInt(Math.round(performance.now() * 1e6));
  const shim = {
    env: { NO_COLOR: "1" } as Record<string, string>,
    argv: [] as string[],
    pid: 0,
    platform: "browser",
    version: "",
    versions: {},
    stdout: { isTTY: false, columns: 80 },
    stderr: { isTTY: false, columns: 80 },
    cwd: () => folder,
    // A page does not tell what a processor has done.
    cpuUsage: () => ({ user: 0, system: 0 }),
    uptime: () => (performance.now() - begun) / 1e3,
    hrtime: Object.assign(
      (from: readonly [number, number] = [0, 0]): [number, number] => {
        const since = nanoseconds() - (BigInt(from[0]) * 1_000_000_000n + BigInt(from[1]));
        return [Number(since / 1_000_000_000n), Number(since % 1_000_000_000n)];
      },
      { bigint: nanoseconds },
    ),
    nextTick: (run: (...given: unknown[]) => void, ...given: unknown[]) =>
      queueMicrotask(() => run(...given)),
    on: nothing,
    once: nothing,
    off: nothing,
    removeListener: nothing,
    removeAllListeners: nothing,
    emit: () => false,
    listeners: () => [],
    listenerCount: () => 0,
  };
  return shim;
}

/** Gives cells and libraries the global names of Node that a browser lacks. */
export function installNodeGlobals(folder: string): void {
  const names = {
    process: pageProcess(folder),
    Buffer,
    global: globalThis,
    setTimeout: timers.setTimeout,
    setInterval: timers.setInterval,
    setImmediate: timers.setImmediate,
    clearTimeout: timers.clearTimeout,
    clearInterval: timers.clearInterval,
    clearImmediate: timers.clearImmediate,
  };
  for (const [name, value] of Object.entries(names))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}
