"use strict";
// The index of the first page's search: the headings of the course, the rules and the metrics, small enough to be loaded at once.

const { open, plain } = require("./course.cjs");

/** A heading's place in a notebook, as Jupyter names it. */
const at = (notebook, heading) =>
  `${open("", "notebooks", notebook.path)}#${encodeURIComponent(plain(heading).replace(/\s+/g, "-"))}`;

/** Headings that every lesson has say nothing about it. */
const common = /^(?:Takeaways|In your own run|Go on|More|Ledger|Why)$/;

function ofNotebooks(kind, notebooks) {
  return notebooks.flatMap((notebook) => {
    const name = notebook.number === "" ? notebook.title : `${notebook.number} ${notebook.title}`;
    return [
      [kind, name, notebook.question ?? notebook.text, open("", "notebooks", notebook.path)],
      ...notebook.headings
        .filter((heading) => !common.test(heading))
        .map((heading) => [`${kind} ${name}`, plain(heading), "", at(notebook, heading)]),
    ];
  });
}

/** The first lesson whose text or code names something; the start of the course if none does. */
function whereNamed(name, { lessons, appendices }) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const named = new RegExp(`(?<![\\w/])${escaped}(?![\\w/])`);
  const notebook = [...lessons, ...appendices].find(({ cells }) =>
    cells.some(({ source }) => named.test(source)),
  );
  return notebook === undefined ? undefined : open("", "notebooks", notebook.path);
}

/** Rules lead to their page, where this build has one. */
function ofRules(course, views) {
  const { explain, recipeNames } = require("turnwise");
  return recipeNames.map((name) => {
    const [title, ...lines] = String(explain(name)).split("\n");
    const source = lines.find((line) => line.startsWith("Source:")) ?? "";
    const href = "rules" in views ? `rules/#rule=${name}` : whereNamed(name, course);
    return ["rule", title, plain(source.replace(/\[\w\]/g, "")), href ?? "lessons/00-start-here/"];
  });
}

function ofMetrics(course) {
  const { glossary } = require("turnwise");
  return Object.entries(glossary).map(([name, { meaning, worryWhen }]) => [
    "metric",
    name,
    `${meaning}. Worry when ${worryWhen}.`,
    whereNamed(name, course) ?? "read/docs/README.html",
  ]);
}

/** An article before a word in italics, and no noun after it: a word that is introduced, not one that is stressed. */
const introduced =
  /(?<=\b(?:a|an|the|their|its|called|are|is) )\*([a-z][a-z-]+(?: [a-z-]+)?)\*(?=[.,:;)]| (?:is|are|of|to|for|and|writes|answers|scores|takes|fixes)\b)/gi;

/** The words that the lessons introduce, each with the sentence that does. */
function ofWords({ lessons }) {
  const found = new Map();
  for (const lesson of lessons)
    for (const { type, source } of lesson.cells)
      if (type === "markdown" && !/^\|/m.test(source))
        for (const sentence of source.split(/\n\n|(?<=[.?!])\s+/))
          for (const [, word] of sentence.matchAll(introduced))
            if (!found.has(word)) found.set(word, { lesson, sentence: plain(sentence) });
  return [...found].map(([word, { lesson, sentence }]) => [
    `word of lesson ${lesson.number}`,
    word,
    sentence,
    open("", "notebooks", lesson.path),
  ]);
}

/** All entries as `[kind, title, text, address]`. */
function searchIndex(course, views) {
  return [
    ...ofNotebooks("lesson", course.lessons),
    ...Object.entries(views).map(([name, { title, text }]) => ["page", title, text, `${name}/`]),
    [
      "page",
      "How we decide",
      "Seeds, bootstrap, Holm, two halves, smallest effects.",
      "read/docs/how-we-decide.html",
    ],
    ...ofNotebooks("exercise", course.exercises),
    ...ofNotebooks("appendix", course.appendices),
    ...ofRules(course, views),
    ...ofWords(course),
    ...ofMetrics(course),
  ];
}

module.exports = { searchIndex };
