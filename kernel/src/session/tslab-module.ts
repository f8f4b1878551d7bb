import type { Output } from "./output.js";

type Show = (data: string | Uint8Array) => void;

/** The module `tslab` as cells see it: the names of tslab's own module, with their output in this session. */
export function tslabModule(output: Output, versions: () => Record<string, string>): Record<string, unknown> {
  const module = {
    display: makeDisplay(output, undefined),
    newDisplay: () => makeDisplay(output, nextId()),
    versions: versions(),
  };
  return { ...module, default: module };
}

let counter = 0;
// Two sessions of one notebook must not overwrite each other's displays.
const sessionName = Math.random().toString(36).slice(2, 8);

function nextId(): string {
  return `tslab-display-${sessionName}-${++counter}`;
}

function makeDisplay(output: Output, id: string | undefined): Record<string, unknown> {
  let shown = false;
  const show = (type: string, data: string | Uint8Array): void => {
    const content = {
      data: { [type]: typeof data === "string" ? data : Buffer.from(data).toString("base64") },
      metadata: {},
      transient: id === undefined ? {} : { display_id: id },
    };
    // A display with an id is one output: its first use creates it, each further use overwrites it.
    output.publish(id !== undefined && shown ? "update_display_data" : "display_data", content);
    shown = true;
  };
  const as =
    (type: string): Show =>
    (data) =>
      show(type, data);
  return {
    javascript: as("application/javascript"),
    html: as("text/html"),
    markdown: as("text/markdown"),
    latex: as("text/latex"),
    svg: as("image/svg+xml"),
    png: as("image/png"),
    jpeg: as("image/jpeg"),
    gif: as("image/gif"),
    pdf: as("application/pdf"),
    text: as("text/plain"),
    raw: show,
  };
}
