"use strict";
// The site's own pages: one that lists the course, and one for each lesson, whose address can be given to a class.

const fs = require("fs");
const path = require("path");
const { bundle } = require("./bundles.cjs");
const { open, readCourse } = require("./course.cjs");
const { frontParts } = require("./front.cjs");
const { escape, page, titleOf } = require("./page.cjs");
const { searchIndex } = require("./search.cjs");
const { writeTeachers } = require("./teachers.cjs");
const { views } = require("./views.cjs");
const { supportedCheck } = require("./worker.cjs");

/** Isolates the next page, which else would be loaded twice, and has the service worker load all that it needs meanwhile. */
const opening = (to, name) => `(async () => {
  try {
    const kept = JSON.parse(localStorage.getItem("turnwise:course") ?? "{}");
    localStorage.setItem("turnwise:course", JSON.stringify({ ...kept, last: ${JSON.stringify(name)} }));
  } catch {}
  const { serviceWorker } = navigator;
  const isThere = serviceWorker && (serviceWorker.controller ||
    serviceWorker.register("../../service-worker.js?enableCache=false").then(() => serviceWorker.ready));
  await Promise.race([isThere, new Promise((done) => setTimeout(done, 10000))]).catch(() => undefined);
  location.replace(${JSON.stringify(to)});
})();`;

/** A page that leads to its lesson at once, and says what it is where scripts are off. */
function lessonPage({ title, question, path: notebook, name }) {
  const to = open("../../", "notebooks", notebook);
  return page({
    title,
    up: "../../",
    description: question,
    script: opening(to, name),
    main: `<main>
<h1>${escape(title)}</h1>
<p>${escape(question)}</p>
<p><a href="${to}">Open the lesson</a></p>
</main>`,
  });
}

const minutesOf = ({ minutes }) => (minutes === undefined ? "" : ` ${minutes} minutes.`);

function list(entries) {
  const row = (one) =>
    `<li><a href="${open("", "notebooks", one.path)}">${escape(one.title)}</a>` +
    ` <a class="also" href="${open("", "lab", one.path)}">in Lab</a><br><span>${escape(one.question ?? one.text)}${minutesOf(one)}</span></li>`;
  return `<ol>\n${entries.map(row).join("\n")}\n</ol>`;
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
async function writePages(root, contents, out, { decks = true } = {}) {
  const site = path.join(root, "site", "static");
  const course = readCourse(contents);
  const template = fs.readFileSync(path.join(site, "index.html"), "utf8");
  const parts = {
    ...(await frontParts(course, views, out)),
    EXERCISES: list(course.exercises),
    DOCS: documents(contents),
    APPENDIX: list(course.appendices),
    DIFFERENCES: differences(root),
    SUPPORTED: supportedCheck(root),
  };
  const page = template.replace(/<!-- ([A-Z]+) -->/g, (whole, name) => parts[name] ?? whole);
  fs.writeFileSync(path.join(out, "index.html"), page);
  for (const name of ["style.css", "front.css"]) fs.copyFileSync(path.join(site, name), path.join(out, name));
  fs.writeFileSync(path.join(out, "search.json"), JSON.stringify(searchIndex(course, views)));
  await bundle({
    entry: path.join(root, "site", "src", "front", "page.ts"),
    outfile: path.join(out, "front.js"),
    format: "esm",
  });
  await writeTeachers(root, contents, course, out, { decks });
  for (const lesson of course.lessons) {
    const folder = path.join(out, "lessons", lesson.name);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "index.html"), lessonPage(lesson));
  }
}

module.exports = { writePages: writePages };
