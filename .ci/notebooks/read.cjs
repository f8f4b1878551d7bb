"use strict";
const { existsSync, readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");

/** Kind of a notebook, by its folder, and the limit of its cells. */
const kinds = {
  lesson: { folder: "notebooks", lines: 15 },
  appendix: { folder: "notebooks/appendix", lines: 30 },
  exercise: { folder: "notebooks/exercises", lines: 15 },
  // In the folder of its lesson.
  solution: { folder: "lib/course/src", below: "solutions", lines: 15 },
};

const joined = (text) => (Array.isArray(text) ? text.join("") : String(text ?? ""));

/** The parts of a notebook under its `## ` headings; what stands before the first one has no heading. */
function sectionsOf(cells) {
  const sections = [{ heading: "", items: [] }];
  for (const cell of cells) {
    const pieces = cell.type === "markdown" ? cell.source.split(/^(?=## )/m) : [cell.source];
    for (const text of pieces) {
      const heading = cell.type === "markdown" ? /^## +(.+?) *$/m.exec(text.split("\n")[0])?.[1] : undefined;
      if (heading !== undefined) {
        const [, number, words] = /^(?:(\d+)\. +)?(.*)$/.exec(heading);
        sections.push({ heading: words, number: number && Number(number), cell, items: [] });
      }
      sections.at(-1).items.push({ cell, text });
    }
  }
  return sections;
}

/** A notebook's text as the rules read it. `notes` is the text of its teacher's notes, where it has some, from `notesFile`. */
function parse(text, { file, kind, notes, notesFile }) {
  const cells = JSON.parse(text).cells.map(({ id, cell_type, source, metadata, outputs }, i) => ({
    place: `cell ${String(i + 1)} (${String(id)})`,
    type: cell_type,
    source: joined(source),
    tags: metadata?.tags ?? [],
    answer: metadata?.turnwise?.answer,
    outputs: outputs ?? [],
  }));
  const [, title = ""] = /^# +(.+?) *$/m.exec(cells[0]?.source ?? "") ?? [];
  return {
    file,
    kind,
    notes,
    notesFile,
    title,
    cells,
    sections: sectionsOf(cells),
    maxLines: kinds[kind].lines,
  };
}

/** Every notebook of the course, in the order in which it is read. */
function readCourse(root) {
  return Object.entries(kinds).flatMap(([kind, { folder, below }]) => {
    if (!existsSync(path.join(root, folder))) return [];
    const inside = readdirSync(path.join(root, folder));
    const folders = below === undefined ? [""] : inside.map((lesson) => `${lesson}/${below}/`);
    const found = folders.filter((one) => existsSync(path.join(root, folder, one)));
    const names = found.flatMap((one) => readdirSync(path.join(root, folder, one)).map((name) => one + name));
    return names
      .filter((name) => name.endsWith(".ipynb"))
      .sort()
      .map((name) => {
        const notesFile = path.posix.join("lib/course/src", name.replace(/\.ipynb$/, ""), "teacher.md");
        const notes = path.join(root, notesFile);
        const file = `${folder}/${name}`;
        return parse(readFileSync(path.join(root, file), "utf8"), {
          file,
          kind,
          notesFile,
          notes: kind === "lesson" && existsSync(notes) ? readFileSync(notes, "utf8") : undefined,
        });
      });
  });
}

module.exports = { joined, parse, readCourse };
