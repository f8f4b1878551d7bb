import { notFinite, type Row } from "../row";
import type { Blocks } from "./block";

/** A cell or the end of a row of HTML. */
const tag = /<t[hd]\b[^>]*>(?<cell>[^<]*)<\/t[hd]>|(?<end><\/tr>)/g;

/** Names that the table gives to values which TRL logs under others. */
const names: Readonly<Record<string, string>> = {
  Step: "step",
  "Training Loss": "loss",
  "Validation Loss": "eval_loss",
};

const nameOf = (title: string): string => names[title] ?? title.replaceAll(" / ", "/");

/** The cells of a line of text: between tabs, bars, or two blanks and more. */
function cellsOf(line: string): string[] {
  const separator = line.includes("\t") ? /\t/ : line.includes("|") ? /\|/ : / {2,}/;
  return line
    .replace(/^\|\s*|\s*\|$/g, "")
    .split(separator)
    .map((cell) => cell.trim());
}

/** A cell's number, null for one without ("No Log"), undefined for what stands in no such table. */
function valueOf(cell: string): number | null | undefined {
  if (cell === "" || cell === "No Log") return null;
  const value = notFinite(cell) ?? Number(cell.replaceAll(",", ""));
  return Number.isNaN(value) && notFinite(cell) === undefined ? undefined : value;
}

/**
 * Reads the table that transformers' trainer shows in a notebook, with TRL's and Unsloth's columns, where its page was copied or exported:
 * as HTML, as a table of Markdown, or as text between tabs or blanks.
 *
 * @see https://github.com/huggingface/transformers: `utils/notebook.py` (NotebookProgressCallback)
 */
export class NotebookTables implements Blocks {
  #header: readonly string[] | undefined;
  #cells: string[] = [];

  push(line: string): Row[] | undefined {
    const tags = [...line.matchAll(tag)];
    if (tags.length > 0) return this.#ofHtml(tags);
    if (this.#header === undefined && !/^\|?\s*Step\b/.test(line)) return undefined;
    // Tags of the table's parts may have lines of their own.
    if (line === "" || /^<\/?t/.test(line)) return undefined;
    const cells = cellsOf(line);
    if (isHeader(cells)) {
      this.#header = cells.map(nameOf);
      return [];
    }
    if (this.#header === undefined) return undefined;
    // The line below a header of Markdown.
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) return [];
    return this.#row(cells);
  }

  end(): Row[] {
    this.#header = undefined;
    this.#cells = [];
    return [];
  }

  #ofHtml(tags: readonly RegExpExecArray[]): Row[] | undefined {
    const rows: Row[] = [];
    for (const { groups } of tags) {
      if (groups!.end === undefined) {
        this.#cells.push(groups!.cell!.trim());
        continue;
      }
      const cells = this.#cells;
      this.#cells = [];
      if (isHeader(cells)) this.#header = cells.map(nameOf);
      else if (this.#header !== undefined) rows.push(...(this.#row(cells) ?? []));
    }
    return this.#header === undefined && rows.length === 0 ? undefined : rows;
  }

  /** A row of the table; what does not look like one ends it. */
  #row(cells: readonly string[]): Row[] | undefined {
    const header = this.#header!;
    const values = cells.map(valueOf);
    if (cells.length !== header.length || values.includes(undefined) || values[0] === null) {
      this.#header = undefined;
      return undefined;
    }
    return [Object.fromEntries(header.map((name, i) => [name, values[i]]))];
  }
}

const isHeader = (cells: readonly string[]): boolean =>
  cells[0] === "Step" && cells.includes("Training Loss");
