"use strict";

/**
 * Each rule looks at a notebook and tells what it finds as [place, what is wrong and what to do]. `kinds` says for which
 * notebooks it holds.
 */
const rules = {
  prettier: require("./rules/prettier.cjs"),
  columns: require("./rules/columns.cjs"),
  length: require("./rules/length.cjs"),
  imports: require("./rules/imports.cjs"),
  ternary: require("./rules/ternary.cjs"),
  chart: require("./rules/chart.cjs"),
  strings: require("./rules/strings.cjs"),
  outline: require("./rules/outline.cjs"),
  section: require("./rules/section.cjs"),
  prediction: require("./rules/prediction.cjs"),
  figures: require("./rules/figures.cjs"),
  ledger: require("./rules/ledger.cjs"),
  tags: require("./rules/tags.cjs"),
  places: require("./rules/places.cjs"),
  story: require("./rules/story.cjs"),
  minutes: require("./rules/minutes.cjs"),
  teacher: require("./rules/teacher.cjs"),
};

/** Problems of a notebook, a line for each mistake. */
async function problemsOf(notebook, syllabus) {
  const lines = [];
  for (const [name, { kinds, look }] of Object.entries(rules)) {
    if (!kinds.includes(notebook.kind)) continue;
    for (const [place, sentence] of await look(notebook, syllabus))
      lines.push(`${notebook.file}, ${place}, rule ${name}: ${sentence}`);
  }
  return lines;
}

module.exports = { problemsOf, ruleNames: Object.keys(rules) };
