import { isObject, type Row } from "../row";
import { parseLenient } from "./jsonl";
import { mayBeNotebook, notebookOf, type Notebook } from "./notebook";

/** The forms of a log that is one JSON value. */
export type WholeContainer = "JSON" | "notebook";

/** A log that is one JSON value. */
export interface WholeJson {
  readonly container: WholeContainer;
  readonly rows: readonly Row[];
  readonly notebook?: Notebook;
}

/**
 * The rows of one JSON value: a list of objects, the `log_history` of a trainer_state.json of Transformers, or what the cells of a
 * notebook logged. Undefined where the text is none of these, as with one object a line.
 */
export function wholeJson(text: string): WholeJson | undefined {
  if (!mayBeWhole(text)) return undefined;
  let value: unknown;
  try {
    value = parseLenient(text);
  } catch {
    return undefined;
  }
  const notebook = notebookOf(value);
  if (notebook !== undefined) {
    return { container: "notebook", rows: notebook.trainings.flatMap(({ rows }) => rows), notebook };
  }
  const rows = isObject(value) ? value.log_history : value;
  return Array.isArray(rows) && rows.every(isObject) ? { container: "JSON", rows } : undefined;
}

/** Whether a text that begins so may be one JSON value rather than one a line. */
export const mayBeWhole = (beginning: string): boolean =>
  /^\uFEFF?\s*(\[|\{\s*\n)/.test(beginning) ||
  /^\s*\{.*"log_history"/.test(beginning) ||
  mayBeNotebook(beginning);
