"use strict";
// How much a page without a cell loads, compressed: for its first picture, and for the worker that has the library. Run by itself, it
// builds the pages alone and prints their sizes:
//   node site/builder/viewSizes.cjs

const fs = require("fs");
const os = require("os");
const path = require("path");
const zlib = require("zlib");

const compressed = (file) => zlib.gzipSync(fs.readFileSync(file)).length;

/** Files of the site that a page names, its own scripts included, beside those that a script loads later. */
function filesOf(page) {
  const folder = path.dirname(page);
  const html = fs.readFileSync(page, "utf8");
  const named = [...html.matchAll(/<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"/g)];
  return [page, ...named.map(([, name]) => path.join(folder, name))];
}

/** Fonts of KaTeX, and the classes of HTML that are set in them. */
const fonts = {
  "Main-Regular": /class="katex"/,
  "Math-Italic": /mathnormal/,
  "AMS-Regular": /mathbb|amsrm/,
  "Caligraphic-Regular": /mathcal/,
  "Size1-Regular": /small-op|size1/,
  "Size2-Regular": /large-op|size2/,
  "Size3-Regular": /size3/,
  "Size4-Regular": /size4/,
};

/** Files of the fonts that a page's equations are set in. */
function fontsOf(out, page) {
  const html = fs.readFileSync(page, "utf8");
  return Object.entries(fonts)
    .filter(([, classes]) => classes.test(html))
    .map(([name]) => path.join(out, "rules", "katex", "fonts", `KaTeX_${name}.woff2`));
}

/** By page: bytes of its first picture and of its worker, compressed. */
function viewSizes(out) {
  const sum = (files) => files.reduce((total, file) => total + compressed(file), 0);
  const rules = fs
    .readdirSync(path.join(out, "rules"), { withFileTypes: true })
    .map(({ name }) => path.join(out, "rules", name, "index.html"))
    .filter((page) => fs.existsSync(page))
    .map((page) => [...filesOf(page), ...fontsOf(out, page)]);
  const largest = rules.reduce((most, files) => (sum(files) > sum(most) ? files : most));
  const pages = {
    rules: filesOf(path.join(out, "rules", "index.html")),
    [`rules/${path.basename(path.dirname(largest[0]))}`]: largest,
    board: [...filesOf(path.join(out, "board", "index.html")), path.join(out, "board", "board.json")],
  };
  const workers = { board: path.join(out, "board", "worker.js") };
  return Object.fromEntries(
    Object.entries(pages).map(([name, files]) => [
      name,
      { first: sum(files), ...(workers[name] && { worker: compressed(workers[name]) }) },
    ]),
  );
}

function printViewSizes(out) {
  const kb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  for (const [name, { first, worker }] of Object.entries(viewSizes(out))) {
    const later = worker === undefined ? "" : `, worker ${kb(worker)}`;
    process.stdout.write(`  ${name.padEnd(16)} first picture ${kb(first)}${later}, gzip\n`);
  }
}

module.exports = { printViewSizes: printViewSizes, viewSizes: viewSizes };

if (require.main === module) {
  const root = path.join(__dirname, "..", "..");
  const out = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-views-"));
  void require("./views.cjs")
    .writeViews(root, out)
    .then(() => printViewSizes(out))
    .finally(() => fs.rmSync(out, { recursive: true, force: true }));
}
