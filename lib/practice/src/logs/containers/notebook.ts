import { isObject, type Row } from "../row";
import { consoleReader } from "./console";
import type { Failure } from "./failure";

/** A code cell of a notebook. */
interface CodeCell {
  readonly source: string;
  /** Its prints and tables, as a console would have them. */
  readonly output: string;
}

/** A training of a notebook: what a cell logged, and the code that ran up to it. */
export interface NotebookTraining {
  readonly rows: readonly Row[];
  /** The code of all cells up to the one that trained. */
  readonly code: readonly string[];
}

/** A notebook, as far as it is about training. */
export interface Notebook {
  /** In the order of the cells. */
  readonly trainings: readonly NotebookTraining[];
  /** The code of all cells. */
  readonly code: readonly string[];
  /** The error that the last training ended in. */
  readonly failure?: Failure;
}

/** Whether a text that begins so may be a notebook. */
export const mayBeNotebook = (beginning: string): boolean =>
  /^\uFEFF?\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor)"\s*:/.test(beginning);

/**
 * Reads the value of an `.ipynb` file: the table that transformers' trainer shows, or what was printed. A cell that logs no reward is
 * left out where another one does, as a warm-up by supervised training is no part of the run.
 *
 * @returns undefined where the value is no notebook
 */
export function notebookOf(value: unknown): Notebook | undefined {
  if (!isObject(value) || typeof value.nbformat !== "number") return undefined;
  const cells = codeCells(value);
  const all = cells.map(({ output }, i) => {
    const reader = consoleReader();
    const rows = output === "" ? [] : [...reader.push(new TextEncoder().encode(output)), ...reader.end()];
    return {
      rows,
      code: cells.slice(0, i + 1).map(({ source }) => source),
      failure: reader.failure === undefined ? undefined : { ...reader.failure, cell: i + 1 },
    };
  });
  const logged = all.filter(({ rows }) => rows.length > 0);
  const rewarded = logged.filter(({ rows }) => rows.some(hasReward));
  const trainings = rewarded.length > 0 ? rewarded : logged;
  const last = trainings.at(-1) ?? all.filter(({ code }) => trains.test(code.at(-1)!)).at(-1);
  return {
    trainings: trainings.map(({ rows, code }) => ({ rows, code })),
    code: cells.map(({ source }) => source),
    ...(last?.failure !== undefined && { failure: last.failure }),
  };
}

const trains = /\.train\s*\(/;

const hasReward = (row: Row): boolean => Object.keys(row).some((name) => /reward|score/i.test(name));

/** A notebook of the fourth format has its cells at the top; one of the third has them in a worksheet. */
function codeCells(value: Readonly<Record<string, unknown>>): CodeCell[] {
  const sheets = Array.isArray(value.worksheets) ? value.worksheets : [value];
  return sheets.flatMap((sheet: unknown) => {
    const cells = isObject(sheet) && Array.isArray(sheet.cells) ? (sheet.cells as unknown[]) : [];
    return cells.flatMap((cell) => {
      if (!isObject(cell) || cell.cell_type !== "code") return [];
      const outputs = Array.isArray(cell.outputs) ? (cell.outputs as unknown[]) : [];
      return [
        { source: textOf(cell.source ?? cell.input), output: outputs.map((one) => shownBy(one)).join("") },
      ];
    });
  });
}

/** A text, which notebooks store as one or as its lines. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.filter((one) => typeof one === "string").join("") : "";
}

/** An output as lines of text: a table in HTML, else its plain text, or the error. */
function shownBy(output: unknown): string {
  if (!isObject(output)) return "";
  if (output.output_type === "error" || output.output_type === "pyerr") {
    const [name, said] = [textOf(output.ename), textOf(output.evalue).split("\n")[0]!];
    return `Traceback (most recent call last):\n${name}${said === "" ? "" : `: ${said}`}\n`;
  }
  const data = isObject(output.data) ? output.data : {};
  const html = textOf(data["text/html"]);
  const text = /<t[hd]\b/.test(html) ? html : textOf(output.text ?? data["text/plain"]);
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
