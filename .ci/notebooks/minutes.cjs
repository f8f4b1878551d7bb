"use strict";
const { withoutMagic } = require("./format.cjs");

/** Amount that a reader takes in per minute of working through a lesson. */
const perMinute = { words: 120, lines: 15 };

const filled = (text) => text.split("\n").filter((line) => line.trim() !== "").length;
/** Text that opens with a click: only those who want it read it. */
const folded = /^<details>[^]*?^<\/details>/gm;
const fence = /^```[^]*?^```/gm;

/** Words as one reads them aloud: no addresses, no markup, no letters of choices; a formula counts as a word. */
function words(markdown) {
  const plain = markdown
    .replace(folded, " ")
    .replace(fence, " ")
    .replace(/^> *- \([a-h]\)/gm, " ")
    .replace(/\$\$[^]+?\$\$|\$[^$\n]+\$/g, " formula ")
    .replace(/\]\([^)]*\)/g, "] ")
    .replace(/<[^>]+>/g, " ");
  return (plain.match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) ?? []).length;
}

/** Reading time of a notebook in minutes, code in its text included. */
function minutesOf({ cells }) {
  let text = 0;
  let lines = 0;
  for (const { type, source } of cells) {
    if (type === "code") lines += filled(withoutMagic(source).code);
    if (type !== "markdown") continue;
    text += words(source);
    for (const [block] of source.replace(folded, "").matchAll(fence)) lines += filled(block) - 2;
  }
  return Math.ceil(text / perMinute.words + lines / perMinute.lines);
}

/** The minutes that the syllabus gives for a notebook; undefined if it does not list it. */
function minutesInSyllabus(syllabus, { file }) {
  const row = syllabus
    .split("\n")
    .find((line) => line.includes(`](${address(file)})`) && line.startsWith("|"));
  const cell = row && /\]\([^)]*\) *\| *(\d+) *\|/.exec(row);
  return cell ? Number(cell[1]) : undefined;
}

const address = (file) => file.replace(/^notebooks\//, "");

/** The syllabus with the minutes of each notebook that it lists. */
function withMinutes(syllabus, notebooks) {
  return notebooks.reduce((text, notebook) => {
    const [before, after, ...more] = text.split(`](${address(notebook.file)})`);
    if (after === undefined || more.length > 0) return text;
    const renewed = after.replace(/^( *\| *)(\d+)( *)(?=\|)/, (_, left, old, right) => {
      const now = String(minutesOf(notebook));
      return left + now + " ".repeat(Math.max(0, old.length + right.length - now.length));
    });
    return `${before}](${address(notebook.file)})${renewed}`;
  }, syllabus);
}

module.exports = { minutesInSyllabus, minutesOf, withMinutes };
