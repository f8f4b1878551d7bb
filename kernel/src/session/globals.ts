import * as api from "../display/api.js";
import * as dialogs from "../display/dialogs.js";
import * as comms from "../widgets/comms.js";
import type { CellImports } from "./cell-imports.js";
import { KernelInterrupt } from "./interrupt.js";
import type { SessionHost } from "./host.js";

/** A library asks for knobs by this name, without importing the kernel: `(spec, { start, beside, stored }) => knobs`. */
const knobsSymbol = Symbol.for("turnwise.knobs");

/** A library that hands the notebook's modules to threads asks for the compiler by this name. */
const typescriptSymbol = Symbol.for("turnwise.typescript");

/** Defines the names that every cell can use; a cell may redeclare any of them. */
export function installGlobals(imports: CellImports, host: SessionHost): void {
  const values: Record<string, unknown> = {
    display: api.display,
    html: api.html,
    md: api.md,
    svg: api.svg,
    png: api.png,
    jpeg: api.jpeg,
    latex: api.latex,
    javascript: api.javascript,
    clearOutput: api.clearOutput,
    progress: api.progress,
    input: api.input,
    help: api.help,
    prompt: dialogs.prompt,
    confirm: dialogs.confirm,
    alert: dialogs.alert,
    createComm: comms.createComm,
    registerTarget: comms.registerTarget,
    broadcast: comms.broadcast,
    ...host.provided.knobs,
    KernelInterrupt,
    require: imports.require,
    __dirname: host.folder,
    __filename: imports.meta.filename,
  };
  Object.defineProperty(globalThis, typescriptSymbol, {
    value: host.provided.typescript,
    configurable: true,
  });
  Object.defineProperty(globalThis, knobsSymbol, { value: host.provided.knobs.knobs, configurable: true });
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
