"use strict";
const { minutesInSyllabus, minutesOf } = require("../minutes.cjs");

const most = 35;

/** A lesson takes 35 minutes at most, and the syllabus says how long. */
function look(notebook, syllabus) {
  const minutes = minutesOf(notebook);
  const problems = [];
  if (notebook.kind === "lesson" && minutes > most)
    problems.push([
      "the notebook",
      `takes ${String(minutes)} minutes to read, more than ${String(most)}; move what is not the point to the appendix`,
    ]);
  const told = minutesInSyllabus(syllabus, notebook);
  if (told === undefined)
    problems.push([
      "the notebook",
      "notebooks/README.md does not list it; add a row with a link and its minutes",
    ]);
  else if (told !== minutes)
    problems.push([
      "the notebook",
      `notebooks/README.md gives it ${String(told)} minutes, and it takes ${String(minutes)}; run npm run format`,
    ]);
  return problems;
}

module.exports = { kinds: ["lesson", "appendix"], look };
