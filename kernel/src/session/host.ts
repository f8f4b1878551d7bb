import type { Magic, Variable } from "../magics/contract.js";
import type { knobs } from "../widgets/knobs.js";
import type { log } from "../widgets/knob.js";
import type { DenoSystem } from "./deno-system.js";
import type { CellImports } from "./cell-imports.js";
import type { CellEvaluator, Failed } from "./evaluation.js";
import type { Outlet, Output } from "./output.js";
import type { StackHost, Stacks } from "./stacks.js";

/** Names that every cell finds, from modules that a host may load late. */
interface Provided {
  /** The module `turnwise-kernel`. */
  kernel(): Record<string, unknown>;
  /** Contents of `versions` in the module `tslab`. */
  versions(): Record<string, string>;
  /** The classes of widgets. */
  widgets(): Pick<typeof import("../widgets/front-end.js"), "serveWidgetStates" | "takeWidget">;
  knobs: { knobs: typeof knobs; log: typeof log };
  /** Members of `Deno` that ask the system, where there is one. */
  deno?(): Partial<DenoSystem>;
  /** TypeScript itself. */
  typescript(): unknown;
  /** Answers `help(...)`. */
  help(asked: readonly unknown[], cells: () => Iterable<readonly [file: string, text: string]>): unknown;
}

/** Reader that may ask for a line of `process.stdin`. */
export interface LineAsker {
  /** The running cell; "" between cells. */
  cell(): string;
  /** The cell has printed the beginning of a line: most likely a question. */
  asks(): boolean;
  ask(): Promise<string>;
}

/** All that a session needs of where it runs: a process of Node, or a worker of a web page. */
export interface SessionHost {
  /** The notebook's folder. */
  readonly folder: string;
  /** Tells the session from others in what it reports. */
  readonly id: number;
  readonly magics: readonly Magic[];
  readonly evaluator: CellEvaluator;
  readonly outlet: Outlet;
  readonly stacks: StackHost;
  readonly provided: Provided;
  imports(stacks: Stacks, provided: Record<string, () => Record<string, unknown>>): CellImports;
  /** The variables that cells have declared. */
  variables(): readonly Variable[];
  /** Sends what is printed to the running cell. */
  captureConsole(output: Output, clear: () => void): void;
  /** Lets `process.stdin` ask for a line. */
  installStdin(asker: LineAsker): void;
  /** A failure as it is to be told. */
  explained(failed: Failed): Failed;
  /** Function that a loop of a cell calls: `tick` alone, or with a look at the source of interrupts. */
  mark(tick: () => void): () => void;
  /** Throws where a cell cannot wait for an answer while nothing else runs. */
  mustWait(): void;
  /** Lets this thread sleep. */
  rest(ms: number): void;
  exit(): void;
}
