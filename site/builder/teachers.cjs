"use strict";
// The page for teachers: decks, minutes, vote sheets and exam questions, made from the lessons and the teacher's notes. Notes, keys and
// solutions are in a site that was built with them, behind a switch of the page.

const fs = require("fs");
const os = require("os");
const path = require("path");
const MarkdownIt = require("markdown-it");
const { open, plain } = require("./course.cjs");
const { escape, page } = require("./page.cjs");

const md = new MarkdownIt({ html: false, linkify: false });

/** A teacher's notes by their parts; undefined for a lesson without. */
function notesOf(root, { name }) {
  const file = path.join(root, "lib", "course", "src", name, "teacher.md");
  if (!fs.existsSync(file)) return undefined;
  const text = fs.readFileSync(file, "utf8");
  const parts = new Map(
    text
      .split(/^## +/m)
      .slice(1)
      .map((part) => {
        const [heading, ...body] = part.split("\n");
        return [heading.trim(), body.join("\n").trim()];
      }),
  );
  const [, inClass] = /^\| all +\| +\d+ +\| +(\d+) +\|$/m.exec(parts.get("Timing") ?? "") ?? [];
  return { parts, inClass: inClass === undefined ? undefined : Number(inClass) };
}

const inline = (markdown) => md.renderInline(markdown);
const answersOnly = (withAnswers, html) => (withAnswers ? `<div class="answers" hidden>${html}</div>` : "");

/** The first sentences below a prediction, which answer it: the bold words and their paragraph. */
function explanationOf({ cells }, cell) {
  for (const { type, source } of cells.slice(cell + 1)) {
    // A line that the reader writes may stand between, with its solution folded.
    if (type !== "markdown" || source.startsWith("<details")) continue;
    const paragraph = source.split(/\n\n+/).find((one) => !/^[#>|]/.test(one));
    return paragraph === undefined ? "" : plain(paragraph);
  }
  return "";
}

const choicesOf = (options, letterOf = (one) => one.letter) =>
  `<ol class="choices">${options.map((one) => `<li>(${letterOf(one)}) ${inline(one.text)}</li>`).join("")}</ol>`;

/** The section in which a question is asked: what it calls "the figure" or "the next updates" is there. */
function placeOf({ headings }, { section }) {
  const heading = headings.find((one) => section !== undefined && one.startsWith(`${section}. `));
  return heading === undefined ? "" : `<p class="small">Section ${escape(plain(heading))}</p>`;
}

/** The questions of a lesson in the order of the deck, with room for a cross. */
function voteSheet(lesson, withAnswers) {
  const asked = lesson.predictions.filter(({ options }) => options.length > 1);
  const row = (one) =>
    `<li>${placeOf(lesson, one)}<p>${inline(one.question)}</p>${choicesOf(one.options)}` +
    `${answersOnly(withAnswers, `<p>Right: (${one.answer})</p>`)}</li>`;
  return `<ol class="questions">${asked.map(row).join("")}</ol>`;
}

/** The same order every time, another one for each question: an exam must not have the letters of the lesson. */
function shuffled(list, key) {
  const weight = (i) => {
    let hash = 2166136261;
    for (const letter of `${key} ${i}`) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
    return hash >>> 0;
  };
  return list
    .map((one, i) => [weight(i), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

const letters = "abcdefgh";

/** Exam questions: each prediction with its choices in another order and a reason to give, and the exercises as tasks on paper. */
function exam(lesson, exercises, withAnswers) {
  const asked = lesson.predictions.filter(({ options }) => options.length > 1);
  const question = (one) => {
    const { key, question: words, options, answer, cell } = one;
    const order = shuffled(options, key);
    const right = order.findIndex(({ letter }) => letter === answer);
    const reason = explanationOf(lesson, cell);
    return (
      `<li>${placeOf(lesson, one)}<p>${inline(words)} Choose, and give the reason in two sentences.</p>` +
      choicesOf(order, (one) => letters[order.indexOf(one)]) +
      `${answersOnly(withAnswers, `<p>(${letters[right] ?? "?"}) ${escape(reason)}</p>`)}</li>`
    );
  };
  const task = ({ title, question: words }) =>
    `<li><p>${inline(words ?? "")} Say which inputs would show that an answer is wrong (exercise ${escape(title.replace(/^Exercise: /, ""))}).</p></li>`;
  return `<ol class="questions">${asked.map(question).join("")}${exercises.map(task).join("")}</ol>`;
}

/** A lesson for its teacher. */
function lessonPage(lesson, o) {
  const { notes, exercises, solutions, withAnswers } = o;
  const up = "../../";
  const link = (one) => `<a href="${open(up, "notebooks", one.path)}">${escape(one.title)}</a>`;
  const part = (name) => {
    const text = notes?.parts.get(name);
    return text === undefined ? "" : `<h2>${name}</h2>\n${md.render(text.replace(/^(#+) /gm, "#$1 "))}`;
  };
  const spoken = withAnswers
    ? ["Notes", "Questions students ask", "Misconceptions"].map(part).join("\n")
    : `<p class="small">Notes, keys and solutions are in a site built with <code>npm run site -- --with-solutions</code>, and in the repository next to each lesson.</p>`;
  return page({
    title: `${lesson.number} ${lesson.title}, for teachers`,
    up,
    main: `<main class="read teachers">
<link rel="stylesheet" href="../teachers.css">
<p><a href="${up}index.html">The course</a> · <a href="../index.html">For teachers</a></p>
<h1>${escape(`${lesson.number} ${lesson.title}`)}</h1>
<p>${escape(lesson.question)}</p>
<p>${[
      `<a href="${open(up, "notebooks", lesson.path)}">The lesson</a>`,
      `<a href="../slides/${lesson.name}.html">Deck</a>`,
      `<a href="../slides-without-answers/${lesson.name}.html">Deck without answers</a>`,
      '<a href="#vote">Vote sheet</a>',
      '<a href="#exam">Exam questions</a>',
    ].join(" · ")}</p>
<p>In class: <code>npx turnwise poll ${lesson.number}</code></p>
${withAnswers ? answerSwitch : ""}
${part("Goals")}
${part("Timing")}
<h2>Exercises</h2>
<ul>${exercises.map((one) => `<li>${link(one)}: ${escape(one.question ?? "")} ${one.minutes ?? "?"} minutes.</li>`).join("")}</ul>
${answersOnly(withAnswers, `<p>Solutions: ${solutions.map(link).join(", ")}</p>`)}
${spoken}
<h2 id="vote">Vote sheet</h2>
<p class="small">Print it, or read it aloud: the letters are those of the deck and of the poll.</p>
${voteSheet(lesson, withAnswers)}
<h2 id="exam">Exam questions</h2>
<p class="small">A question may speak of a figure, a table or a run: hand out the section that it names, as a page of the deck without answers.</p>
${exam(lesson, exercises, withAnswers)}
</main>`,
  });
}

/** Shows and hides everything that answers a question; hidden at first, since a teacher may be projecting. */
const answerSwitch = `<p><label class="switch"><input type="checkbox" role="switch" id="answers"> Show answers, keys and solutions</label></p>
<script type="module">
const box = document.getElementById("answers");
const show = () => { for (const one of document.querySelectorAll(".answers")) one.hidden = !box.checked; };
box.addEventListener("change", show);
addEventListener("pageshow", show);
</script>`;

const minutes = (n) => (n === undefined ? "" : `${n} min`);

const columns = ["", "after ", "reading ", "in class ", "", ""];

/** A row of the table of lessons. A narrow screen shows it as a list, where each cell says what it is, and only roles keep it a table. */
const row = ([head, ...cells]) =>
  `<tr role="row"><th scope="row" role="rowheader">${head}</th>` +
  `${cells.map((cell, i) => `<td role="cell" data-head="${columns[i + 1]}">${cell}</td>`).join("")}</tr>`;

function indexPage(lessons, rows, { inClass, withAnswers }) {
  const reading = lessons.reduce((sum, one) => sum + one.minutes, 0);
  return page({
    title: "For teachers",
    up: "../",
    description:
      "Decks, minutes, vote sheets and exam questions for each lesson, and how to run one for thirty.",
    main: `<main class="read teachers">
<link rel="stylesheet" href="teachers.css">
<p><a href="../index.html">The course</a></p>
<h1>For teachers</h1>
<p>For each lesson: its minutes, a deck to project, a vote sheet and exam questions; below, how to run one for thirty. All of it is made from the
lessons, so it changes with them.</p>
<table role="table">
<thead role="rowgroup"><tr role="row">${["lesson", "after", "reading", "in class", "decks", "for the room"].map((head) => `<th scope="col" role="columnheader">${head}</th>`).join("")}</tr></thead>
<tbody role="rowgroup">
${rows.join("\n")}
</tbody>
<tfoot role="rowgroup">${row(["all", "", `${reading} min`, `${inClass} min`, "", ""])}</tfoot>
</table>
<p class="small">Minutes of reading are counted: 120 words and 15 lines of code a minute. In class, each vote takes two minutes more.</p>
<h2>A lesson for thirty</h2>
<ol class="how">
<li><b>The day before:</b> open the lesson once in the room's browser, and run all cells. Give the class the address <code>lessons/00-start-here/</code> of
this site, or the notebook of your lesson. Nothing has to be installed, and phones are enough for voting.</li>
<li><b>Start the vote</b> on your machine: <code>npx turnwise poll 04</code>. It prints an address and a code for the students, and a link for you.
Nothing is stored. Where a network keeps devices apart, use hands: the deck has a field for each choice.</li>
<li><b>Show the deck.</b> <kbd>S</kbd> opens the speaker window. At each prediction stop, let everybody vote, ask one person from each side for a reason, and
only then show the results and go on.</li>
<li><b>Let them change one thing.</b> After the third section, everybody opens the notebook and turns a knob: ten minutes, in pairs.</li>
<li><b>Close with the takeaways</b> and the table for their own runs. The exercise is homework: it checks itself.</li>
<li><b>Hand out</b> the deck without answers before the lesson, and the full deck after it.</li>
</ol>
<p>${
      withAnswers
        ? "This site was built with solutions: do not give its address to students. Each lesson's page has a switch that shows the keys."
        : "Notes, keys and solutions are left out of a site for students. Yours, with all of them: <code>npm run site -- --with-solutions</code>."
    } To grade with nbgrader, see the README of <code>lib/course</code>.</p>
</main>`,
  });
}

/** Decks with and without answers; a presenter's notes are in a teacher's site. */
async function writeDecksOf(root, contents, lessons, out, withAnswers) {
  const { writeDecks } = require("turnwise-kernel/internal/cli/write-decks");
  const files = lessons.map(({ path: name }) => ({
    file: path.join(contents, name),
    name: path.posix.basename(name),
  }));
  const nothing = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-notes-"));
  const notes = withAnswers ? path.join(root, "lib", "course", "src") : nothing;
  const warn = (text) => process.stderr.write(`${text}\n`);
  try {
    await writeDecks(files, { root, out: path.join(out, "slides"), notes, warn });
    await writeDecks(files, {
      root,
      out: path.join(out, "slides-without-answers"),
      notes,
      answers: false,
      warn,
    });
  } finally {
    fs.rmSync(nothing, { recursive: true });
  }
}

/** Writes the pages for teachers, and their decks unless `decks` is false, into the built site. Answers are there if solutions are. */
async function writeTeachers(root, contents, course, out, { decks = true } = {}) {
  const folder = path.join(out, "teachers");
  const withAnswers = course.solutions.length > 0;
  fs.mkdirSync(folder, { recursive: true });
  fs.copyFileSync(path.join(root, "site", "static", "teachers.css"), path.join(folder, "teachers.css"));
  const rows = [];
  let inClass = 0;
  for (const lesson of course.lessons) {
    const { name, number, title, before } = lesson;
    const ofLesson = (list) => list.filter((one) => one.number === number);
    const notes = notesOf(root, lesson);
    inClass += notes?.inClass ?? lesson.minutes;
    const o = {
      notes,
      exercises: ofLesson(course.exercises),
      solutions: ofLesson(course.solutions),
      withAnswers,
    };
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    fs.writeFileSync(path.join(folder, name, "index.html"), lessonPage(lesson, o));
    rows.push(
      row([
        `<a href="${name}/">${escape(`${number} ${title}`)}</a>`,
        before.join(", "),
        minutes(lesson.minutes),
        minutes(notes?.inClass),
        `<a href="slides/${name}.html">deck</a> · <a href="slides-without-answers/${name}.html">without answers</a>`,
        `<a href="${name}/#vote">vote sheet</a> · <a href="${name}/#exam">exam</a>`,
      ]),
    );
  }
  fs.writeFileSync(
    path.join(folder, "index.html"),
    indexPage(course.lessons, rows, { inClass, withAnswers }),
  );
  if (decks) await writeDecksOf(root, contents, course.lessons, folder, withAnswers);
}

module.exports = { writeTeachers };
