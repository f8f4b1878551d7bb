"use strict";
const { codeCells } = require("./code.cjs");

const least = 3;

/** A line that the reader writes and that is checked. */
const writes = /\byours\("|\bcheck\("/;
/** A number or a name that the reader changes, with what to try. */
const turns = /^(?:let|const) [^=]+ = [^;]+; \/\/ .*\b[Tt]ry\b/gm;
/** Sliders, menus and the playground. */
const slides = /\bwidgets\.redraw\(|\bknobs\(|\bplayground\(/;

/** Counts of the lines that a reader writes in a lesson, and of its knobs. */
function placesOf(notebook) {
  const cells = codeCells(notebook);
  const written = cells.filter(({ source }) => writes.test(source)).length;
  const knobs = cells.reduce(
    (sum, { source }) => sum + (source.match(turns) ?? []).length + (slides.test(source) ? 1 : 0),
    0,
  );
  return { written, knobs };
}

module.exports = { least, placesOf };
