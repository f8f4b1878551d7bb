import type { JsxOptions } from "./jsx.js";

/** A diagnostic of the type checker in a cell; positions are UTF-16 offsets into the cell. */
export interface CellDiagnostic {
  start: number;
  length: number;
  code: number;
  message: string;
  /** Syntax errors stop a cell under every policy. */
  syntax: boolean;
  /** It is in a local file, which the cell imports at this place. */
  within?: {
    readonly name: string;
    readonly source: string;
    readonly start: number;
    readonly length: number;
  };
}

/** A proposed completion of the identifier at the cursor. */
export interface Completion {
  text: string;
  /** TypeScript's name for the kind of thing: `method`, `const`, `class` ... */
  kind: string;
}

/** The proposals, and the range that they replace. */
export interface Completions {
  start: number;
  end: number;
  items: Completion[];
  /** The expression before the dot, if its type does not tell what it has: its value may. */
  open?: string;
  /** Names that nothing has imported yet, where no other begins so. */
  imports?: Importable[];
}

/** A name, and the statement that imports it. */
export interface Importable {
  name: string;
  statement: string;
}

/** Information about the name at the cursor. */
export interface QuickInfo {
  /** The declaration, as TypeScript prints it. */
  signature: string;
  /** The declaration and its documentation as plain text. */
  text: string;
  documentation: string;
}

/** A type checker for the cells of one notebook. Cells see the names of all cells that were committed before. */
export interface TypeEngine {
  readonly name: "typescript" | "tslab";
  /** Whether it looks for what TypeScript's `strict` finds, whatever the notebook's tsconfig.json asks for. */
  setStrict(strict: boolean): void;
  /** The way in which JSX makes elements, where the notebook's tsconfig.json says nothing of it. */
  readonly setJsx: (options: JsxOptions) => void;
  /** Checks a cell against the committed ones. */
  check(source: string): CellDiagnostic[];
  /** Adds the cell that was checked last: its names are now known to later cells. */
  commit(source: string): void;
  /** With `alone`, the source is that of a module, which does not see the names of cells. */
  complete(source: string, offset: number, alone?: boolean): Completions;
  inspect(source: string, offset: number, alone?: boolean): QuickInfo | undefined;
  /** Defines a module that cells import as `./<name>`; a file of that name counts from its next change on. */
  addModule(name: string, source: string): CellDiagnostic[];
  /** Takes it back: what counts is the file again, if there is one. */
  removeModule(name: string): void;
  /** Makes the exports of a module known to later cells, and gives the names of those that are values. */
  importModule(name: string, source: string): string[];
  /** As `importModule` for modules whose file has changed since, by name; what the notebook has declared itself stays. */
  renewModules(): Map<string, string[]>;
  close(): void;
}
