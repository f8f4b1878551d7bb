"use strict";
// The notebooks as the site has them: trusted, without what only a running kernel can show, and with what Jupyter writes into them
// once their kernel has come, so that one which was only opened has nothing to save.

const fs = require("fs");
const path = require("path");

const view = "application/vnd.jupyter.widget-view+json";
const runFirst = "<p><em>Run this cell to see its controls.</em></p>";

/** Controls live in a kernel, and a stored output has none: JupyterLab would log an error for it and show a blank. */
function withoutControls(output) {
  if (!output.data?.[view]) return output;
  const data = Object.fromEntries(Object.entries(output.data).filter(([kind]) => kind !== view));
  const html = [data["text/html"] ?? ""].flat().join("");
  return {
    ...output,
    data: { ...data, "text/html": /^(<div><\/div>)?$/.test(html.trim()) ? runFirst : html },
  };
}

/** Jupyter's server trusts what it has signed; here are the notebooks of this repository alone, whose figures may show. */
function trusted(notebook) {
  const cells = notebook.cells.map((cell) =>
    cell.cell_type === "code"
      ? {
          ...cell,
          metadata: { ...cell.metadata, trusted: true },
          outputs: cell.outputs.map(withoutControls),
        }
      : cell,
  );
  return { ...notebook, cells };
}

/** With what the kernel of a page says of itself, whose TypeScript has this version. */
function ofKernel(notebook, typescript) {
  const { kernelSpec, languageInfo } = require("turnwise-kernel/internal/protocol/language");
  const metadata = { ...notebook.metadata, kernelspec: kernelSpec, language_info: languageInfo(typescript) };
  return { ...notebook, metadata };
}

/** Makes all notebooks below a folder fit for the site, whose TypeScript has this version. */
function fitNotebooks(folder, typescript) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) fitNotebooks(file, typescript);
    if (!entry.name.endsWith(".ipynb")) continue;
    const stored = JSON.parse(fs.readFileSync(file, "utf8"));
    fs.writeFileSync(file, JSON.stringify(ofKernel(trusted(stored), typescript)));
  }
}

module.exports = { fitNotebooks: fitNotebooks };
