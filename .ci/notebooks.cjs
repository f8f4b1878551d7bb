"use strict";
// The form of the course's notebooks, checked on the cells themselves: one file for each rule in .ci/notebooks/rules.
//   npm run form                  says what is not as a lesson should be
//   npm run form -- --write       formats the cells and renews the minutes of notebooks/README.md; `npm run format` does so too
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { replaceFile } = require("../kernel/bootstrap/replace-file.cjs");
const { formatNotebook } = require("./notebooks/format.cjs");
const { withMinutes, withTiming } = require("./notebooks/minutes.cjs");
const { readCourse } = require("./notebooks/read.cjs");
const { problemsOf } = require("./notebooks/rules.cjs");
const { spreadProblems } = require("./notebooks/spread.cjs");

/** The minutes of a lesson in its teacher's notes. */
function writeTiming(root, notebook) {
  if (notebook.notes === undefined) return;
  const renewed = withTiming(notebook.notes, notebook);
  if (renewed === notebook.notes) return;
  replaceFile(path.join(root, notebook.notesFile), renewed);
  console.log(`${notebook.notesFile}: minutes renewed`);
}

async function write(root) {
  for (const { file } of readCourse(root)) {
    const text = readFileSync(path.join(root, file), "utf8");
    const formatted = await formatNotebook(text);
    if (formatted === text) continue;
    replaceFile(path.join(root, file), formatted);
    console.log(`${file}: cells formatted`);
  }
  const syllabus = path.join(root, "notebooks", "README.md");
  const text = readFileSync(syllabus, "utf8");
  const renewed = withMinutes(text, readCourse(root));
  if (renewed !== text) {
    replaceFile(syllabus, renewed);
    console.log("notebooks/README.md: minutes renewed");
  }
  for (const notebook of readCourse(root)) writeTiming(root, notebook);
}

async function main(root, args) {
  if (args.includes("--write")) await write(root);
  const notebooks = readCourse(root);
  const syllabus = readFileSync(path.join(root, "notebooks", "README.md"), "utf8");
  let count = 0;
  for (const notebook of notebooks) {
    for (const line of await problemsOf(notebook, syllabus)) {
      count++;
      console.error(line);
    }
  }
  for (const line of spreadProblems(notebooks)) {
    count++;
    console.error(line);
  }
  if (count === 0) console.log(`${String(notebooks.length)} notebooks have the form of the course`);
  process.exitCode = count === 0 ? 0 : 1;
}

if (require.main === module) void main(path.resolve(__dirname, ".."), process.argv.slice(2));
