import { parseCsvLine } from "turnwise/internal/base/csv";
import type { RowReader } from "../row";
import { blockReader } from "./blocks";
import { colorless, consoleReader, jsonRow, parseConsoleLine, plain } from "./console";
import { csvReader } from "./csv";
import { EventReader, isEventFile } from "./events";
import { jsonlReader } from "./jsonl";
import { isWandbFile, WandbReader } from "./wandb";

/** The forms in which logs are stored. */
export type ContainerName = "JSONL" | "CSV" | "TensorBoard events" | "wandb" | "console";

/** Size of the beginning of a file that determines its container, whatever follows. */
const TELLING_BYTES = 1 << 16;

/**
 * Container of a log, by its beginning; undefined while more of it is needed.
 *
 * A table has a header, and as many cells in its next row; all other text is what a run printed.
 */
export function containerOf(first: Uint8Array, ended: boolean): ContainerName | undefined {
  const enough = ended || first.length >= TELLING_BYTES;
  if (first.length < 12 && !enough) return undefined;
  if (isEventFile(first)) return "TensorBoard events";
  if (isWandbFile(first)) return "wandb";
  const text = new TextDecoder().decode(first).replace(/^\uFEFF?\s*/, "");
  // A time in brackets or a Python dict is no JSON.
  if (/^(\{(?!')|\[\s*[[{"\]])/.test(text)) return "JSONL";
  const lines = text.split(/\r\n|\n|\r/);
  const blocks = blockReader();
  if (
    lines.some(
      (line) => parseConsoleLine(line) ?? jsonRow(plain(line)) ?? blocks.push(plain(line), colorless(line)),
    )
  )
    return "console";
  // More may be to come of the last line.
  const complete = enough ? lines : lines.slice(0, -1);
  if (complete.length < 2 && !enough) return undefined;
  return isTable(complete) ? "CSV" : "console";
}

/** Whether a header with several columns comes first, and a number stands below it. */
function isTable([header = "", row = ""]: readonly string[]): boolean {
  if (parseCsvLine(header).length < 2) return false;
  return row === "" || parseCsvLine(row).some((cell) => cell.trim() !== "" && !Number.isNaN(Number(cell)));
}

/** A reader of a container; `run` chooses one where a table holds several. */
export function readerOf(container: ContainerName, run?: string): RowReader {
  switch (container) {
    case "JSONL":
      return jsonlReader();
    case "CSV":
      return csvReader(run);
    case "TensorBoard events":
      return new EventReader();
    case "wandb":
      return new WandbReader();
    case "console":
      return consoleReader();
  }
}
