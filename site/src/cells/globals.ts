import { Buffer } from "buffer/index.js";
import process from "../library/node/process.js";
import * as timers from "../library/node/timers.js";

/** Gives cells and libraries the global names of Node that a browser lacks. */
export function installNodeGlobals(): void {
  const names = {
    process,
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
