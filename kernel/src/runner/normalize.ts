import { createHash } from "node:crypto";
import { kernelSpec } from "../protocol/language.js";
import { dialectOf } from "../magics/dialects.js";
import type { JsonObject } from "../protocol/message.js";
import type { NbformatOutput } from "../protocol/outputs.js";
import type { Cell, Notebook } from "./notebook.js";

const volatile = ["execution", "collapsed", "scrolled", "ExecuteTime", "papermill"];

/** A cell keeps a valid, unique id; otherwise the id is derived from the text, so that the same notebook gets the same ids. */
function stableId(cell: Cell, taken: Set<string>): string {
  const own = cell.id;
  if (own !== undefined && /^[a-zA-Z0-9-_]{1,64}$/.test(own) && !taken.has(own)) return own;
  for (let n = 0; ; n++) {
    const id = createHash("sha256")
      .update(`${String(n)}:${cell.cell_type}:${cell.source}`)
      .digest("hex")
      .slice(0, 8);
    if (!taken.has(id)) return id;
  }
}

function showsSomething(output: NbformatOutput): boolean {
  if (output.output_type !== "display_data") return true;
  return Object.values(output.data).some(
    (text) => text !== "" && !(Array.isArray(text) && text.length === 0),
  );
}

/** Whether a notebook asks for another kernel whose notebooks this one runs: it goes on asking for that. */
function ofOtherKernel({ metadata }: Notebook): boolean {
  const name = (metadata.kernelspec as { name?: unknown } | undefined)?.name;
  return typeof name === "string" && name !== kernelSpec.name && dialectOf(name) !== undefined;
}

/**
 * The notebook as it is committed: valid unique ids, execution counts 1, 2, 3 over the executed cells, and nothing
 * in the metadata that changes from run to run. A display that shows nothing any more, such as the bar of work that is
 * done, is left out.
 */
export function normalize(notebook: Notebook, language: JsonObject = { name: "typescript" }): Notebook {
  const taken = new Set<string>();
  let count = 0;
  const cells = notebook.cells.map((cell) => {
    const id = stableId(cell, taken);
    taken.add(id);
    const metadata = Object.fromEntries(
      Object.entries(cell.metadata).filter(([key]) => !volatile.includes(key)),
    );
    if (cell.cell_type !== "code") return { ...cell, id, metadata };
    const executed = cell.execution_count !== null && cell.execution_count !== undefined;
    const executionCount = executed ? ++count : null;
    const outputs = (cell.outputs ?? [])
      .filter(showsSomething)
      .map((output) =>
        output.output_type === "execute_result"
          ? { ...output, execution_count: executionCount ?? 0 }
          : output,
      );
    return { ...cell, id, metadata, execution_count: executionCount, outputs };
  });
  const info = Object.fromEntries(Object.entries(language).filter(([key]) => key !== "version"));
  return {
    cells,
    metadata: {
      ...notebook.metadata,
      ...(ofOtherKernel(notebook) ? {} : { kernelspec: { ...kernelSpec }, language_info: info }),
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
}
