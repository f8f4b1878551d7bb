/** A diagnostic of the type checker in a cell; positions are UTF-16 offsets into the cell. */
export interface CellDiagnostic {
  start: number;
  length: number;
  code: number;
  message: string;
  /** Syntax errors stop a cell under every policy. */
  syntax: boolean;
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
}

/** What is known of the name at the cursor. */
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
  /** Checks a cell against the committed ones. */
  check(source: string): CellDiagnostic[];
  /** Adds the cell that was checked last: its names are now known to later cells. */
  commit(source: string): void;
  complete(source: string, offset: number): Completions;
  inspect(source: string, offset: number): QuickInfo | undefined;
  /** Defines a module that cells import as `./<name>`. */
  addModule(name: string, source: string): CellDiagnostic[];
  close(): void;
}
