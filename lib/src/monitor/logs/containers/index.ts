import type { RowReader } from "../row";
import { csvReader } from "./csv";
import { EventReader, isEventFile } from "./events";
import { jsonlReader } from "./jsonl";

/** The forms in which logs are stored. */
export type ContainerName = "JSONL" | "CSV" | "TensorBoard events";

/** How many bytes tell a container. */
export const TELLING_BYTES = 12;

/** What a log is stored in, by its first bytes. */
export function containerOf(first: Uint8Array): ContainerName {
  if (isEventFile(first)) return "TensorBoard events";
  return /^\uFEFF?\s*[{[]/.test(new TextDecoder().decode(first.subarray(0, 64))) ? "JSONL" : "CSV";
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
  }
}
