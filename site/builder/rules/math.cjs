"use strict";
// Formulas as HTML, set when the site is built, so that a page shows them without scripts.

const fs = require("fs");
const path = require("path");
const katex = require("katex");
const { escape } = require("../page.cjs");

/** The parts of an equation, divided by the commas of its top level: each is a line, which a phone can show. */
function partsOf(equation) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < equation.length; i++) {
    if (equation[i] === "{") depth++;
    else if (equation[i] === "}") depth--;
    else if (depth === 0 && equation.startsWith(",\\quad", i)) {
      parts.push(equation.slice(start, i));
      start = i + ",\\quad".length;
      i = start - 1;
    }
  }
  return [...parts, equation.slice(start)].map((part) => part.trim());
}

/** Blackboard letters would bring a font of their own, as large as all the rest of a page: E for an expectation and 1[...] do without. */
const inPlainLetters = (latex) =>
  latex.replaceAll("\\mathbb{E}", "\\operatorname{E}").replace(/\\mathbb\s*\{?1\}?/g, "\\mathrm{1}");

function equationAs(latex, output) {
  const lines = partsOf(inPlainLetters(latex)).map((part) =>
    katex.renderToString(part, { displayMode: true, output, throwOnError: true, strict: "ignore" }),
  );
  return `<div class="equation" role="group" aria-label="Equation" tabindex="0">${lines.join("")}</div>`;
}

/** An equation, a line for each of its parts; assistive technology reads its MathML. */
const equation = (latex) => equationAs(latex, "htmlAndMathml");

/** The same without KaTeX's fonts and style sheet, as the browser sets it. */
const equationAsMathml = (latex) => equationAs(latex, "mathml");

/** Copies what formulas are shown with. */
function copyMath(root, folder) {
  const from = path.join(root, "node_modules", "katex", "dist");
  fs.mkdirSync(folder, { recursive: true });
  fs.copyFileSync(path.join(from, "katex.min.css"), path.join(folder, "katex.min.css"));
  fs.cpSync(path.join(from, "fonts"), path.join(folder, "fonts"), {
    recursive: true,
    filter: (file) => !/\.(ttf|woff)$/.test(file),
  });
}

module.exports = {
  equation: equation,
  equationAsMathml: equationAsMathml,
  partsOf: partsOf,
  copyMath: copyMath,
  escape: escape,
};
