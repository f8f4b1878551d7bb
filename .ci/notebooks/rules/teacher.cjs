"use strict";
const { withTiming } = require("../minutes.cjs");

const parts = ["Goals", "Timing", "Notes", "Questions students ask", "Misconceptions"];
const tables = ["Timing", "Misconceptions"];
const unnumbered = (heading) => heading.replace(/^\d+\. +/, "");

/** Each lesson has notes for its teacher: the same parts everywhere, and a note for every section. */
function look(notebook) {
  const { file, notes, title, sections } = notebook;
  const where = file.replace(/^notebooks\/(.*)\.ipynb$/, "lib/course/src/$1/teacher.md");
  if (notes === undefined)
    return [[where, `there are no teacher's notes; write them with the parts ${parts.join(", ")}`]];
  const problems = [];
  const tell = (sentence) => problems.push([where, sentence]);
  const [, head] = /^# +(.+?) *$/m.exec(notes) ?? [];
  if (head !== title) tell(`its title must be the lesson's, "# ${title}"`);
  if (withTiming(notes, notebook) !== notes)
    tell("its minutes are not those of the notebook; run npm run format");
  const bodies = notes.split(/^## +/m).slice(1);
  const names = bodies.map((body) => body.split("\n")[0].trim());
  if (names.join() !== parts.join())
    tell(`its parts must be ${parts.join(", ")}: they are ${names.join(", ")}`);
  for (const [i, body] of bodies.entries()) {
    if (body.split("\n").slice(1).join("").trim() === "") tell(`"## ${names[i]}" is empty; fill it`);
    else if (tables.includes(names[i]) && !/^\|/m.test(body)) tell(`"## ${names[i]}" must hold a table`);
  }
  const spoken = [...(bodies[names.indexOf("Notes")] ?? "").matchAll(/^### +(.+?) *$/gm)].map(([, text]) =>
    unnumbered(text),
  );
  for (const { heading, number } of sections)
    if (number !== undefined && !spoken.includes(heading))
      tell(`no note for the section "### ${heading}"; add it under "## Notes"`);
  const known = [title, ...sections.map(({ heading }) => heading)];
  for (const one of spoken)
    if (!known.includes(one))
      tell(`its note "### ${one}" belongs to no section of the lesson; name it as the lesson does`);
  return problems;
}

module.exports = { kinds: ["lesson"], look };
