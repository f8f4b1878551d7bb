"use strict";
const { predictionsOf } = require("../../kernel/labextension/static/predictions.js");
const { withoutMagic } = require("./format.cjs");

/** Amount that a reader takes in per minute of working through a lesson. */
const perMinute = { words: 120, lines: 15 };

const filled = (text) => text.split("\n").filter((line) => line.trim() !== "").length;
/** Text that opens with a click: only those who want it read it. */
const folded = /^<details>[^]*?^<\/details>/gm;
const fence = /^```[^]*?^```/gm;

/** The line that leads to the lessons before and after. */
const ways = /^\*\*(?:Previous|Next lesson):\*\* .*$/gm;

/** Words as one reads them aloud: no addresses, no markup, no letters of choices, no way on; a formula counts as a word. */
function words(markdown) {
  const plain = markdown
    .replace(folded, " ")
    .replace(fence, " ")
    .replace(ways, " ")
    .replace(/^> *- \([a-h]\)/gm, " ")
    .replace(/\$\$[^]+?\$\$|\$[^$\n]+\$/g, " formula ")
    .replace(/\]\([^)]*\)/g, "] ")
    .replace(/<[^>]+>/g, " ");
  return (plain.match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) ?? []).length;
}

/** Minutes of reading, not rounded, code in the text included. */
function reading(cells) {
  let text = 0;
  let lines = 0;
  for (const { type, source } of cells) {
    if (type === "code") lines += filled(withoutMagic(source).code);
    if (type !== "markdown") continue;
    text += words(source);
    for (const [block] of source.replace(folded, "").matchAll(fence)) lines += filled(block) - 2;
  }
  return text / perMinute.words + lines / perMinute.lines;
}

/** Reading time of a notebook in minutes. */
const minutesOf = ({ cells }) => Math.ceil(reading(cells));

/** Minutes that a class takes for a prediction besides reading: a show of hands, and a reason from each side. */
const perVote = 2;

/** Whole minutes whose sum is the whole time's, by largest remainders. */
function rounded(times, total) {
  const whole = times.map(Math.floor);
  const left = total - whole.reduce((sum, n) => sum + n, 0);
  const byRemainder = times.map((time, i) => [time - whole[i], i]).sort(([a], [b]) => b - a);
  for (const [, i] of byRemainder.slice(0, left)) whole[i]++;
  return whole;
}

/** The parts of a lesson as a teacher plans them: the minutes of reading, which add up to the lesson's, and those of a class. */
function timingOf(notebook) {
  const parts = [];
  for (const { heading, number, items } of notebook.sections) {
    const isMain = number !== undefined;
    const name = isMain ? `${number}. ${heading}` : parts.length === 0 ? "opening" : "takeaways and after";
    const cells = items.map(({ cell, text }) => ({ ...cell, source: text }));
    const last = parts.at(-1);
    if (!isMain && last?.name === name) last.cells.push(...cells);
    else parts.push({ name, cells });
  }
  const minutes = rounded(
    parts.map(({ cells }) => reading(cells)),
    minutesOf(notebook),
  );
  return parts.map(({ name, cells }, i) => {
    const votes = cells
      .filter(({ type }) => type === "markdown")
      .flatMap(({ source }) => predictionsOf(source)).length;
    return { name, reading: minutes[i], inClass: minutes[i] + perVote * votes };
  });
}

/** Table of a lesson's minutes for its teacher's notes. */
function timingTable(notebook) {
  const rows = timingOf(notebook);
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const cells = [
    ["section", "reading", "in class"],
    ...rows.map((row) => [row.name, String(row.reading), String(row.inClass)]),
    ["all", String(sum("reading")), String(sum("inClass"))],
  ];
  const widths = [0, 1, 2].map((k) => Math.max(...cells.map((row) => row[k].length)));
  const line = (row) => `| ${row.map((cell, k) => cell.padEnd(widths[k])).join(" | ")} |`;
  return [
    line(cells[0]),
    `| ${widths.map((n) => "-".repeat(n)).join(" | ")} |`,
    ...cells.slice(1).map(line),
  ].join("\n");
}

/** Teacher's notes whose table of minutes is the notebook's. */
const withTiming = (notes, notebook) =>
  notes.replace(/^(## Timing *\n+)(?:\|.*\n)+/m, (_, heading) => `${heading}${timingTable(notebook)}\n`);

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

module.exports = { minutesInSyllabus, minutesOf, withMinutes, withTiming };
