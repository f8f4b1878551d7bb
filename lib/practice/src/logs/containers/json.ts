import { isObject, type Row } from "../row";
import { parseLenient } from "./jsonl";

/**
 * The rows of one JSON value: a list of objects, or the `log_history` of a trainer_state.json of Transformers. Undefined where
 * the text is neither, as with one object a line.
 */
export function wholeJson(text: string): Row[] | undefined {
  if (!mayBeWhole(text)) return undefined;
  let value: unknown;
  try {
    value = parseLenient(text);
  } catch {
    return undefined;
  }
  const rows = isObject(value) ? value.log_history : value;
  return Array.isArray(rows) && rows.every(isObject) ? rows : undefined;
}

/** Whether a text that begins so may be one JSON value rather than one a line. */
export const mayBeWhole = (beginning: string): boolean =>
  /^\uFEFF?\s*(\[|\{\s*\n)/.test(beginning) || /^\s*\{.*"log_history"/.test(beginning);
