import type { Settings } from "../display/settings.js";
import type { Dialect } from "./dialects.js";

/** Treatment of a cell with a type error. */
export type TypePolicy = "strict" | "error" | "warn" | "off";

/** A magic as a cell calls it. */
export interface MagicCall {
  /** Text after its name in the same line. */
  readonly rest: string;
  /** The lines below it, where these are text. */
  readonly body?: string;
  /** The code behind or below it, where that is TypeScript. */
  readonly code?: () => unknown;
}

/** A variable of the notebook; without a value if the cell that declares it has not come that far. */
export interface Variable {
  readonly name: string;
  readonly value: unknown;
}

/** Services of the session that a magic may use. */
export interface MagicHost {
  /** The notebook's folder. */
  readonly folder: string;
  readonly settings: Settings;
  print(text: string, name?: "stdout" | "stderr"): void;
  display(value: unknown): void;
  variables(): readonly Variable[];
  /** The mark of a loop: throws if the cell was interrupted. */
  tick(): void;
  /** Calls a function when the cell is interrupted, until what it returns is called. */
  onInterrupt(run: () => void): () => void;
  /** Calls a function when the cell has ended, whether well or not. */
  afterCell(run: () => void): void;
}

/** Settings that a magic may change before its cell is checked. */
export interface CheckHost {
  setTypes(policy: TypePolicy): void;
  setDialect(dialect: Dialect): void;
  /** The cell is no script but becomes this file. */
  writeModule(module: { file: string; force: boolean }): void;
}

/** Form of a magic, and the use of the text that it takes. */
export type MagicForm =
  /** `%name rest`: a line for itself. */
  | "line"
  /** `%name code`: a line with a statement. */
  | "code line"
  /** `%%name rest`, with TypeScript below it that runs as usual. */
  | "cell"
  /** `%%name rest`, with TypeScript below it that the magic calls. */
  | "code cell"
  /** `%%name rest`, with any text below it. */
  | "text cell";

/** One magic: all that the kernel knows of it. */
export interface Magic {
  /** Without its percent signs. */
  readonly name: string;
  readonly forms: readonly MagicForm[];
  /** One line for each form. */
  readonly usage: readonly string[];
  /** One sentence. */
  readonly about: string;
  /** Further advice, in Markdown. */
  readonly more?: string;
  readonly example?: string;
  /** Words that may follow its name, for completion. */
  readonly words?: readonly string[];
  /** Changes that it makes before the cell is checked; throws if the text after its name is wrong. */
  check?(call: MagicCall, host: CheckHost): void;
  /** Action when the cell runs. */
  run?(call: MagicCall, host: MagicHost): unknown;
}
