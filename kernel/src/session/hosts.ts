import * as api from "../display/api.js";
import { toBundle } from "../display/bundle.js";
import { setWidgetHost } from "../widgets/host.js";
import type { Comms } from "./comms.js";
import type { Displays } from "./displays.js";
import type { Inputs } from "./inputs.js";
import type { Interrupts } from "./interrupt.js";
import type { Output } from "./output.js";

/** The global symbol under which the session shows a value for a debugger. */
export const bundleSymbol = "turnwise.bundle";

/** The parts of a session that the functions of cells, widgets and the debugger need. */
interface Parts {
  displays: Displays;
  comms: Comms;
  output: Output;
  interrupts: Interrupts;
  /** Answers `help(...)`. */
  help(asked: readonly unknown[], cells: () => Iterable<readonly [file: string, text: string]>): unknown;
  /** The cells that have run, by name. */
  cells(): Iterable<readonly [file: string, text: string]>;
  inputs: Inputs;
  /** Reads commands that have arrived, and throws if the cell was interrupted. */
  poll(): void;
  onError(error: unknown): void;
}

/** Lets the display functions, the widgets and the debugger reach their session. */
export function installHosts({ displays, comms, output, interrupts, ...session }: Parts): void {
  Object.defineProperty(globalThis, Symbol.for(bundleSymbol), {
    value: (value: unknown) => toBundle(value),
  });
  api.setDisplayHost({
    display: (value, o) => displays.show(value, o),
    clearOutput: (wait) => displays.clear(wait),
    input: (prompt, password) => session.inputs.ask(prompt, password),
    inputNow: (prompt) => session.inputs.askNow(prompt),
    help: (asked) => session.help(asked, session.cells),
    onInterrupt: (run) => interrupts.listen(run),
  });
  setWidgetHost({
    create: (target, data, o) => comms.create(target, data, o),
    hasComm: (id) => comms.has(id),
    broadcast: (msgType, content, o) => comms.broadcast(msgType, content, o),
    registerTarget: (target, onOpen) => comms.registerTarget(target, onOpen),
    collect: (accept, run) => output.collect(accept, run),
    poll: () => session.poll(),
    report: (error) => session.onError(error),
  });
}
