import fs from "node:fs";
import type { JsonObject } from "../protocol/message.js";
import type { NbformatOutput } from "../protocol/outputs.js";

/** A cell of notebook format 4.5; `source` is joined on reading. */
export interface Cell {
  id?: string;
  cell_type: "code" | "markdown" | "raw";
  source: string;
  metadata: JsonObject & { tags?: string[] };
  outputs?: NbformatOutput[];
  execution_count?: number | null;
  attachments?: JsonObject;
}

export interface Notebook {
  cells: Cell[];
  metadata: JsonObject;
  nbformat: number;
  nbformat_minor: number;
}

const isJsonMime = (mime: string): boolean => /^application\/(.*\+)?json$/.test(mime);

function join(text: unknown): unknown {
  return Array.isArray(text) && text.every((line) => typeof line === "string") ? text.join("") : text;
}

function joinBundle(bundle: unknown): unknown {
  if (typeof bundle !== "object" || bundle === null) return bundle;
  return Object.fromEntries(
    Object.entries(bundle).map(([mime, value]) => [mime, isJsonMime(mime) ? value : join(value)]),
  );
}

function joinOutput(output: JsonObject): JsonObject {
  if ("text" in output) return { ...output, text: join(output.text) };
  if ("data" in output) return { ...output, data: joinBundle(output.data) };
  return output;
}

/** Reads a notebook's JSON and joins its multi-line texts. Validate it before relying on its shape. */
export function parseNotebook(text: string): Notebook {
  const notebook = JSON.parse(text) as Notebook;
  if (!Array.isArray(notebook.cells)) return notebook;
  const cells = notebook.cells.map((cell) => ({
    ...cell,
    source: join(cell.source) as string,
    ...(Array.isArray(cell.outputs) && {
      outputs: cell.outputs.map((output) =>
        joinOutput(output as unknown as JsonObject),
      ) as unknown as NbformatOutput[],
    }),
  }));
  return { ...notebook, cells };
}

/** Upgrades a notebook of format 4.0 to 4.4 to 4.5, whose cells have ids; others stay as they are. */
export function upgradeNotebook(notebook: Notebook): Notebook {
  if (notebook.nbformat !== 4 || !(notebook.nbformat_minor < 5)) return notebook;
  const cells = notebook.cells.map((cell, i) => ({ ...cell, id: `cell-${String(i + 1)}` }));
  return { ...notebook, cells, nbformat_minor: 5 };
}

export function readNotebook(file: string): Notebook {
  return parseNotebook(fs.readFileSync(file, "utf8"));
}

/** The lines of a text with their newlines, as notebook files store texts. */
function split(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function splitOutput(output: NbformatOutput): JsonObject {
  if (output.output_type === "stream") return { ...output, text: split(output.text) };
  if (output.output_type === "error") return { ...output };
  const data = Object.entries(output.data).map(([mime, value]) => [
    mime,
    typeof value === "string" && !isJsonMime(mime) && (mime.startsWith("text/") || mime === "image/svg+xml")
      ? split(value)
      : value,
  ]);
  return { ...output, data: Object.fromEntries(data) as JsonObject };
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries);
}

/** The file's text as Jupyter itself writes it (one space, sorted keys), so that saving in Lab changes no line. */
export function stringifyNotebook(notebook: Notebook): string {
  const cells = notebook.cells.map((cell) => ({
    ...cell,
    source: split(cell.source),
    ...(cell.outputs && { outputs: cell.outputs.map(splitOutput) }),
  }));
  return JSON.stringify({ ...notebook, cells }, sortKeys, 1) + "\n";
}

export function tagsOf(cell: Cell): string[] {
  return Array.isArray(cell.metadata.tags) ? cell.metadata.tags : [];
}
