"use strict";
// The site's own pages: one that lists the course, and one for each lesson, whose address can be given to a class.

const fs = require("fs");
const path = require("path");
const { escape, page, titleOf } = require("./page.cjs");
const { supportedCheck } = require("./worker.cjs");

/** The title of a notebook, and what a lesson asks; of any other, its first sentence. */
function about(file, isLesson) {
  const { cells } = JSON.parse(fs.readFileSync(file, "utf8"));
  const [title, ...paragraphs] = [cells[0].source].flat().join("").split(/\n\n+/);
  const plain = paragraphs
    .filter((one) => /^[A-Z*]/.test(one))
    .join(" ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`$_]/g, "")
    .replace(/\s+/g, " ");
  const sentences = plain.match(/\S.*?[.?!](?=\s|$)/g) ?? [];
  return {
    title: title.replace(/^#\s*/, ""),
    text: (isLesson && sentences.findLast((one) => one.endsWith("?"))) || (sentences[0] ?? ""),
  };
}

function notebooks(contents, folder) {
  const below = path.join(contents, "notebooks", folder);
  if (!fs.existsSync(below)) return [];
  return fs
    .readdirSync(below)
    .filter((name) => name.endsWith(".ipynb"))
    .sort()
    .map((name) => ({
      name: name.replace(/\.ipynb$/, ""),
      path: path.posix.join("notebooks", folder, name),
      ...about(path.join(below, name), folder === ""),
    }));
}

const open = (up, app, notebook) =>
  `${up}${app === "lab" ? "lab" : "notebooks"}/index.html?path=${notebook.split("/").map(encodeURIComponent).join("/")}`;

/** Isolates the next page, which else would be loaded twice, and has the service worker load all that it needs meanwhile. */
const opening = (to) => `(async () => {
  const { serviceWorker } = navigator;
  const isThere = serviceWorker && (serviceWorker.controller ||
    serviceWorker.register("../../service-worker.js?enableCache=false").then(() => serviceWorker.ready));
  await Promise.race([isThere, new Promise((done) => setTimeout(done, 10000))]).catch(() => undefined);
  location.replace(${JSON.stringify(to)});
})();`;

/** A page that leads to its lesson at once, and says what it is where scripts are off. */
function lessonPage({ title, text, path: notebook }) {
  const to = open("../../", "notebooks", notebook);
  return page({
    title,
    up: "../../",
    description: text,
    script: opening(to),
    main: `<main>
<h1>${escape(title)}</h1>
<p>${escape(text)}</p>
<p><a href="${to}">Open the lesson</a></p>
</main>`,
  });
}

function list(entries) {
  const row = (one) =>
    `<li><a href="${open("", "notebooks", one.path)}">${escape(one.title)}</a>` +
    ` <a class="also" href="${open("", "lab", one.path)}">in Lab</a><br><span>${escape(one.text)}</span></li>`;
  return `<ol>\n${entries.map(row).join("\n")}\n</ol>`;
}

/** The solutions, and the notes on each lesson, where the site is one for teachers. */
function forTeachers(contents) {
  const solutions = notebooks(contents, "solutions");
  if (solutions.length === 0) return "";
  const notes = fs.readdirSync(path.join(contents, "notebooks", "teacher")).sort();
  const note = (name) =>
    `<li><a href="files/notebooks/teacher/${name}">${escape(name.replace(/\.md$/, ""))}</a></li>`;
  return (
    `<h2>Solutions</h2>\n${list(solutions)}\n` +
    `<h2>Notes for teachers</h2>\n<ol>\n${notes.map(note).join("\n")}\n</ol>`
  );
}

/** The pages of docs/ by their titles. */
function documents(contents) {
  const folder = path.join(contents, "docs");
  const names = fs.readdirSync(folder).filter((name) => name.endsWith(".md"));
  const first = (name) => Number(name !== "README.md");
  names.sort((a, b) => first(a) - first(b) || a.localeCompare(b));
  const row = (name) => {
    const title = titleOf(fs.readFileSync(path.join(folder, name), "utf8"), name);
    return `<li><a href="read/docs/${name.replace(/\.md$/, ".html")}">${escape(title)}</a></li>`;
  };
  return `<ol>\n${names.map(row).join("\n")}\n</ol>`;
}

/** Differences from Node.js, by the table of kernel/README.md, which the tests check against what they find. */
function differences(root) {
  const lines = fs.readFileSync(path.join(root, "kernel", "README.md"), "utf8").split("\n");
  const first = lines.findIndex((line) => /^\| on Node\.js +\|/.test(line));
  if (first < 0) throw new Error("Cannot say what differs here: kernel/README.md must have that table.");
  const code = (text) => escape(text.trim()).replace(/`([^`]+)`/g, "<code>$1</code>");
  const rows = [];
  for (const line of lines.slice(first + 2)) {
    if (!line.startsWith("|")) break;
    const [, what, why] = line.split(/(?<!\\)\|/);
    rows.push(`<li>${code(what)}. <span>Here: ${code(why)}.</span></li>`);
  }
  return `<ul class="limits">\n${rows.join("\n")}\n</ul>`;
}

/** Writes the pages into the built site. */
function writePages(root, contents, out) {
  const site = path.join(root, "site", "static");
  const lessons = notebooks(contents, "");
  const template = fs.readFileSync(path.join(site, "index.html"), "utf8");
  const parts = {
    LESSONS: list(lessons),
    EXERCISES: list(notebooks(contents, "exercises")),
    TEACHERS: forTeachers(contents),
    DOCS: documents(contents),
    APPENDIX: list(notebooks(contents, "appendix")),
    DIFFERENCES: differences(root),
    SUPPORTED: supportedCheck(root),
  };
  const page = template.replace(/<!-- ([A-Z]+) -->/g, (whole, name) => parts[name] ?? whole);
  fs.writeFileSync(path.join(out, "index.html"), page);
  fs.copyFileSync(path.join(site, "style.css"), path.join(out, "style.css"));
  for (const lesson of lessons) {
    const folder = path.join(out, "lessons", lesson.name);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "index.html"), lessonPage(lesson));
  }
}

module.exports = { writePages: writePages };
