import { readSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { limits } from "../../display/settings.js";
import { logDepthOf } from "../../magics/dialect.js";
import { dialectOfEnvironment } from "../../magics/dialects.js";
import { descendants, endAll } from "../../process/descendants.js";
import { nodeHost } from "./host.js";
import { Inbox } from "./inbox.js";
import { fds } from "./pipe-outlet.js";
import { keepListening } from "./listeners.js";
import { CellSession } from "../session.js";
import { stateBytes, type BridgeData, type BridgeMessage } from "../state.js";

// An error from deep inside a library still tells at which line of the cell it began.
Error.stackTraceLimit = 50;

const depth = logDepthOf(dialectOfEnvironment());
if (depth !== limits.get("logDepth")) limits.values = { logDepth: depth };

const state = new Int32Array(new SharedArrayBuffer(stateBytes));
const session = new CellSession(state, nodeHost(state, process.cwd()));

const bridgeData: BridgeData = {
  state,
  controlFd: fds.control,
  builtIn: Object.getOwnPropertyNames(globalThis),
};
const bridge = new Worker(join(__dirname, "bridge.js"), { workerData: bridgeData });
bridge.on("message", (message: BridgeMessage) => session.onBridge(message));
bridge.unref();
session.announce = (message) => bridge.postMessage(message);
process.on("exit", () => session.announce({ t: "exit" }));

const commands = new Socket({ fd: fds.commands, readable: true, writable: false });
const inbox = new Inbox(state, {
  handle: (command, buffers, taken) => session.onCommand(command, buffers, taken),
  missed: () => session.announce({ t: "missed" }),
});
commands.on("data", (chunk: Buffer) => inbox.push(chunk));
commands.on("end", leave);
commands.on("error", leave);

// While a cell blocks the event loop, its own calls may still read what the front has sent.
const chunk = Buffer.alloc(65_536);
session.pollCommands = () => {
  try {
    const size = readSync(fds.commands, chunk, 0, chunk.length, null);
    if (size > 0) inbox.push(Buffer.from(chunk.subarray(0, size)));
  } catch {
    // Nothing to read (EAGAIN).
  }
};

keepListening({
  uncaughtException: (error) => session.onStrayError(error),
  unhandledRejection: (reason) => session.onStrayError(reason),
  // A Ctrl-C in Jupyter's terminal reaches the whole process group; the front decides what it means.
  SIGINT: () => undefined,
});

/** The front is gone. The bridge thread sees to that as well, if this thread cannot; what listens for the exit runs only here. */
function leave(): void {
  process.on("exit", () => {
    try {
      if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
    } catch {
      // It is in a group of somebody else.
    }
  });
  void endAll(descendants(process.pid)).finally(() => process.exit(0));
}
