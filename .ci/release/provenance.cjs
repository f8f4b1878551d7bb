"use strict";
// Notes on where the files of a release come from, to be kept with them.
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const sha256 = (file) => crypto.createHash("sha256").update(fs.readFileSync(file)).digest("hex");

/** Digests of files, by their names. */
const digests = (files) => Object.fromEntries(files.map((file) => [path.basename(file), sha256(file)]));

/** The packages of other people inside a package of ours, with version and license. */
function carriedIn(folder) {
  const modules = path.join(folder, "dist", "node_modules");
  if (!fs.existsSync(modules)) return [];
  return fs
    .readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .map((name) => JSON.parse(fs.readFileSync(path.join(modules, name, "package.json"), "utf8")))
    .map(({ name, version, license }) => `${name} ${version} (${license})`);
}

/** The notes, in Markdown. */
function provenance({ version, commit, isClean, node, npm, files, root, packages }) {
  const digest = digests(files);
  const rows = files.map((file) => {
    const name = path.basename(file);
    return `| ${name} | ${(fs.statSync(file).size / 1e6).toFixed(1)} MB | \`${digest[name]}\` |`;
  });
  const carried = packages.flatMap(({ folder, manifest }) => {
    const inside = carriedIn(path.join(root, folder));
    return inside.length === 0 ? [] : [`- ${manifest.name}: ${inside.join(", ")}`];
  });
  return `# Files of turnwise ${version}

Made from commit ${commit}${isClean ? "" : ", with changes that are not committed"}, with Node ${node} and npm ${npm}. Each file
was installed and used after it was made; its digest was the same before and after.

| file | size | SHA-256 |
| --- | --- | --- |
${rows.join("\n")}

Packages of other people inside ours, each as one file with its licenses (LICENSES.txt beside it), as package-lock.json locks them:

${carried.join("\n")}

## To publish

Nothing has been published. From a workflow that may request an id-token, npm records where the files were built:

${files
  .filter((file) => file.endsWith(".tgz"))
  .map((file) => `    npm publish --provenance --access public ${path.basename(file)}`)
  .join("\n")}
${files.some((file) => file.endsWith(".whl")) ? "    python -m twine upload *.whl\n" : ""}`;
}

module.exports = { digests, provenance };
