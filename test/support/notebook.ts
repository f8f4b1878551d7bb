// Uses internals of turnwise-kernel/runner.
import type { Cell, Notebook } from "turnwise-kernel/dist/runner/notebook.js";

let number = 0;

export function code(source: string, ...tags: string[]): Cell {
  return {
    id: `c${String(++number)}`,
    cell_type: "code",
    metadata: tags.length > 0 ? { tags } : {},
    source,
    outputs: [],
    execution_count: null,
  };
}

export function markdown(source: string): Cell {
  return { id: `m${String(++number)}`, cell_type: "markdown", metadata: {}, source };
}

export function notebookOf(...cells: Cell[]): Notebook {
  return { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
}
