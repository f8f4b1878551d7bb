"use strict";
// What `turnwise new` copies, beside the data sets: the lessons, the exercises without their solutions, the appendix and docs/, as
// whoever has only the packages reads them.

const fs = require("node:fs");
const path = require("node:path");

/** The parts of datasets/ that notebooks and lessons read. */
const datasets = ["README.md", "logs", "measured", "papers", "tasks", "trajectories"];

/** Files that programs leave in these folders. */
const leftOut = /(^|\/)(\.ipynb_checkpoints|turnwise-output|__pycache__)(\/|$)|^notebooks\/docs(\/|$)/;

/** The paths of the files below a folder, relative to the repository, with forward slashes. */
function below(root, folder) {
  return fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (leftOut.test(name)) return [];
      return entry.isDirectory() ? below(root, name) : [name];
    })
    .sort();
}

/** A text without links to what is not copied, and with the commands of the packages. */
function fitted(name, text, isCopied) {
  const linked = text.replace(/\[([^\]]*)\]\((\.{1,2}\/[^)#\s]*)(#[^)\s]*)?\)/g, (link, label, to) =>
    isCopied(path.posix.join(path.posix.dirname(name), to).replace(/\/$/, "")) ? link : label,
  );
  if (name !== "notebooks/README.md") return linked;
  return linked.replace(/\n## For a class\n[^]*$/, "").replaceAll("`npm start`", "`npx turnwise lab`");
}

/** The text of each file by its path. */
function gather(root) {
  const names = [
    ...below(root, "notebooks").filter((name) => /\.(ipynb|md)$/.test(name)),
    ...below(root, "docs").filter((name) => /\.(md|svg)$/.test(name)),
  ];
  const copied = [...names, ...datasets.map((part) => `datasets/${part}`)];
  const isCopied = (to) =>
    copied.some((one) => one === to || one.startsWith(`${to}/`) || to.startsWith(`${one}/`));
  return Object.fromEntries(
    names.map((name) => [name, fitted(name, fs.readFileSync(path.join(root, name), "utf8"), isCopied)]),
  );
}

module.exports = { datasets, gather };
