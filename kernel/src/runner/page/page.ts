import { tagsOf, type Cell, type Notebook } from "../notebook.js";
import { escapeHtml } from "../../display/html.js";
import { highlight } from "./highlight.js";
import { markdownToHtml } from "./markdown.js";
import { outputToHtml } from "./output.js";
import { style } from "./style.js";

async function cellToHtml(cell: Cell): Promise<string> {
  if (cell.cell_type === "markdown")
    return `<section class="markdown">${markdownToHtml(cell.source)}</section>`;
  if (cell.cell_type === "raw") return `<section><pre>${escapeHtml(cell.source)}</pre></section>`;
  const outputs = await Promise.all((cell.outputs ?? []).map(outputToHtml));
  const skipped = tagsOf(cell).includes("skip-execution") ? '<p class="note">not executed</p>' : "";
  const input = cell.source.trim()
    ? `<div class="input"><pre><code>${highlight(cell.source)}</code></pre></div>${skipped}`
    : "";
  return `<section class="code">${input}${outputs.join("")}</section>`;
}

function titleOf(notebook: Notebook, fallback: string): string {
  for (const cell of notebook.cells) {
    const heading = cell.cell_type === "markdown" ? /^#\s+(.+)$/m.exec(cell.source) : undefined;
    if (heading) return heading[1].replace(/[`*_]/g, "");
  }
  return fallback;
}

/**
 * One self-contained HTML page of an executed notebook: no script, nothing loaded from elsewhere, charts as SVG.
 * Whatever a cell put out is escaped or goes through an allow list.
 */
export async function notebookToHtml(notebook: Notebook, name: string): Promise<string> {
  const cells: string[] = [];
  for (const cell of notebook.cells) cells.push(await cellToHtml(cell));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(titleOf(notebook, name))}</title>
<style>${style}</style>
</head>
<body>
<main>
${cells.join("\n")}
</main>
</body>
</html>
`;
}
