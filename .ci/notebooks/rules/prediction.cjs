"use strict";
const { predictionsOf } = require("../../../kernel/labextension/static/predictions.js");

/** Each prediction is a list of choices at the end of its cell, whose metadata names the right one. */
function look({ kind, cells, sections }) {
  const problems = [];
  const asked = cells.flatMap((cell) => {
    const tell = (sentence) => problems.push([cell.place, sentence]);
    const found = cell.type === "markdown" ? predictionsOf(cell.source) : [];
    const [one] = found;
    if (one === undefined) return [];
    if (found.length > 1) tell("asks for two predictions; give each a cell of its own");
    if (!one.list || one.after !== "")
      tell('the prediction must end with its choices, each a line "> - (a) ..."; ask the rest above them');
    if (cell.source.trimEnd().split("\n").length > one.to)
      tell("text follows the prediction; begin another cell, which folds with the answer");
    const letters = one.options.map(({ letter }) => letter);
    if (letters.includes(cell.answer)) return cell.answer;
    const got = cell.answer === undefined ? "nothing" : JSON.stringify(cell.answer);
    tell(`the metadata must name the right choice, "turnwise": { "answer": "a" }, got ${got}`);
    return [];
  });
  for (const [letter, count] of Object.entries(tally(asked)))
    if (kind === "lesson" && asked.length > 3 && count > Math.ceil(asked.length / 2))
      problems.push([
        "the predictions",
        `(${letter}) is right ${String(count)} times out of ${String(asked.length)}; reorder their choices`,
      ]);
  // A fold ends with the cell that has the next heading: text above it would stay in sight.
  for (const { heading, cell, items } of sections)
    if (cell !== undefined && !cell.source.trimStart().startsWith("#") && items.length > 0) {
      const above = cells.slice(0, cells.indexOf(cell)).findLast(({ source }) => /^##? /m.test(source));
      if (above !== undefined && predictionsOf(above.source).length > 0)
        problems.push([
          cell.place,
          `"${heading}" must begin its cell, as the section above folds up to there`,
        ]);
    }
  return problems;
}

const tally = (letters) => {
  const counts = {};
  for (const letter of letters) counts[letter] = (counts[letter] ?? 0) + 1;
  return counts;
};

module.exports = { kinds: ["lesson", "appendix"], look };
