"use strict";
// The course as the site's own pages tell of it, read from the syllabus and the notebooks: nothing about a lesson is written twice.

const fs = require("fs");
const path = require("path");
const { foldsOf } = require("../../kernel/labextension/static/predictions.js");

const joined = (text) => [text ?? ""].flat().join("");

/** Markdown as plain words: a link is its text, and marks are left out. */
const plain = (text) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`$_]/g, "")
    .replace(/\s+/g, " ")
    .trim();

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The rows of the syllabus by the paths of their notebooks, without ".ipynb". */
function readSyllabus(contents) {
  const lines = fs.readFileSync(path.join(contents, "notebooks", "README.md"), "utf8").split("\n");
  const rows = new Map();
  for (const line of lines) {
    const [, target, rest] = /^\| \[[^\]]+\]\(([^)]+)\.ipynb\) *\|(.*)\|$/.exec(line) ?? [];
    if (target === undefined) continue;
    const [minutes, before, question, paper] = rest.split("|").map((cell) => cell.trim());
    rows.set(target, {
      minutes: Number(minutes),
      before: before.match(/\b\d\d\b/g) ?? [],
      question: `${capital(question)}.`,
      paper,
    });
  }
  return rows;
}

/** The last question of a lesson's opening; the first sentence of any other notebook. */
function textOf(paragraphs, isLesson) {
  const sentences =
    plain(paragraphs.filter((one) => /^[A-Z*]/.test(one)).join(" ")).match(/\S.*?[.?!](?=\s|$)/g) ?? [];
  return (isLesson && sentences.findLast((one) => one.endsWith("?"))) || (sentences[0] ?? "");
}

/** A notebook of the contents with its headings and predictions. `folder` is below notebooks/, "" for the lessons. */
function readNotebook(contents, folder, name, syllabus) {
  const file = path.posix.join("notebooks", folder, name);
  const cells = JSON.parse(fs.readFileSync(path.join(contents, file), "utf8")).cells.map((cell) => ({
    id: cell.id,
    type: cell.cell_type,
    source: joined(cell.source),
    answer: cell.metadata?.turnwise?.answer,
    outputs: cell.outputs ?? [],
  }));
  const [title, ...paragraphs] = (cells[0]?.source ?? "").split(/\n\n+/);
  const stem = name.replace(/\.ipynb$/, "");
  const headings = cells
    .filter(({ type }) => type === "markdown")
    .flatMap(({ source }) => [...source.replace(/^```[^]*?^```/gm, "").matchAll(/^## +(.+?) *$/gm)])
    .map(([, heading]) => heading);
  return {
    name: stem,
    number: /^\d\d(?=-)/.exec(stem)?.[0] ?? "",
    path: file,
    title: plain(title.replace(/^#\s*/, "")),
    text: textOf(paragraphs, folder === ""),
    headings,
    predictions: foldsOf(cells).map(({ key, question, options, section, cell }) => ({
      key,
      question,
      options,
      section,
      cell,
      answer: cells[cell].answer,
    })),
    cells,
    ...(syllabus.get(path.posix.join(folder, stem)) ?? { minutes: undefined, before: [] }),
  };
}

/** The notebooks of one folder below notebooks/, in order; none if the contents do not have it. */
function readFolder(contents, folder, syllabus) {
  const below = path.join(contents, "notebooks", folder);
  if (!fs.existsSync(below)) return [];
  return fs
    .readdirSync(below)
    .filter((name) => name.endsWith(".ipynb"))
    .sort()
    .map((name) => readNotebook(contents, folder, name, syllabus));
}

/** The exercises by the paths of their notebooks: the task, its lesson and its minutes. */
function readExercises(contents) {
  const file = path.join(contents, "notebooks", "exercises", "README.md");
  const rows = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : [];
  const row = /^\| \[[^\]]+\]\(([^)]+)\.ipynb\) *\| *(.*?) *\| *(\d\d) *\| *(\d+) *\|$/;
  return rows.flatMap((line) => {
    const [, name, task, lesson, minutes] = row.exec(line) ?? [];
    return name === undefined
      ? []
      : [[`exercises/${name}`, { minutes: Number(minutes), before: [lesson], question: `Write ${task}.` }]];
  });
}

/** Lessons, exercises, appendices and, in a site for teachers, solutions. */
function readCourse(contents) {
  const syllabus = new Map([...readSyllabus(contents), ...readExercises(contents)]);
  const read = (folder) => readFolder(contents, folder, syllabus);
  return {
    lessons: read(""),
    exercises: read("exercises"),
    appendices: read("appendix"),
    solutions: read("solutions"),
  };
}

/** The longest way from a lesson that needs none: the lessons of a level can be read in any order. */
function levelsOf(lessons) {
  const known = new Map();
  const levelOf = (lesson) => {
    if (!known.has(lesson.number)) {
      // A circle would have no end.
      known.set(lesson.number, 0);
      const before = lessons.filter(({ number }) => lesson.before.includes(number));
      known.set(lesson.number, before.length === 0 ? 0 : 1 + Math.max(...before.map(levelOf)));
    }
    return known.get(lesson.number);
  };
  return new Map(lessons.map((lesson) => [lesson.number, levelOf(lesson)]));
}

/** The address of a notebook below the site's: `up` leads there. */
const open = (up, app, notebook) =>
  `${up}${app === "lab" ? "lab" : "notebooks"}/index.html?path=${notebook.split("/").map(encodeURIComponent).join("/")}`;

module.exports = { joined, levelsOf, open, plain, readCourse };
