"use strict";
// The parts of the site's first page that come from the course: the map, the cards of the lessons, and the pages without a cell.

const fs = require("fs");
const path = require("path");
const { levelsOf, open } = require("./course.cjs");
const { escape } = require("./page.cjs");
const { pictureOf } = require("./pictures.cjs");

const cardOf = (number) => `lesson-${number}`;

/** A duration as one says it. */
function spoken(minutes) {
  const hours = Math.floor(minutes / 60);
  const half = minutes % 60 >= 30 ? " and a half" : "";
  return hours === 0 ? `${minutes} minutes` : `${hours}${half} hours`;
}

/** Those of the needed lessons that no other of them needs anyway. */
function nearest(lessons, before) {
  const needs = (number, other) => {
    const own = lessons.find((one) => one.number === number)?.before ?? [];
    return own.includes(other) || own.some((one) => needs(one, other));
  };
  const known = before.filter((one) => lessons.some(({ number }) => number === one));
  return known.filter((one) => !known.some((other) => needs(other, one)));
}

/** A box for each lesson, below those that it needs: lessons of a row can be read in any order. */
function map(lessons, { wide }) {
  const levels = levelsOf(lessons);
  const rows = [];
  for (const lesson of lessons) (rows[levels.get(lesson.number)] ??= []).push(lesson);
  const box = wide
    ? { width: 150, height: 44, gap: 12, rise: 92 }
    : { width: 44, height: 44, gap: 16, rise: 84 };
  const most = Math.max(...rows.map((row) => row.length));
  const width = most * (box.width + box.gap) + box.gap;
  const height = rows.length * box.rise - (box.rise - box.height) + 8;
  const places = new Map();
  rows.forEach((row, level) =>
    row.forEach((lesson, i) => {
      const indent = (width - row.length * (box.width + box.gap) + box.gap) / 2;
      places.set(lesson.number, { x: indent + i * (box.width + box.gap), y: 4 + level * box.rise });
    }),
  );
  const head = `head-${wide ? "wide" : "narrow"}`;
  const middle = ({ x }) => x + box.width / 2;
  const arrows = lessons.flatMap(({ number, before }) =>
    nearest(lessons, before).map((one) => {
      const [from, to] = [places.get(one), places.get(number)];
      const [top, bottom] = [from.y + box.height, to.y];
      const bend = (top + bottom) / 2;
      return `<path d="M${middle(from)} ${top}C${middle(from)} ${bend} ${middle(to)} ${bend} ${middle(to)} ${bottom - 7}" marker-end="url(#${head})"/>`;
    }),
  );
  const boxes = lessons.map((lesson) => {
    const { x, y } = places.get(lesson.number);
    const name = wide ? wrapped(`${lesson.number} ${lesson.title}`, x + box.width / 2, y) : "";
    const number = `<text x="${x + box.width / 2}" y="${y + 27}">${lesson.number}</text>`;
    return (
      `<a href="#${cardOf(lesson.number)}" data-lesson="${lesson.name}"${wide ? "" : ` aria-label="${escape(`${lesson.number} ${lesson.title}`)}"`}>` +
      `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/>${wide ? name : number}</a>`
    );
  });
  return (
    `<svg class="map ${wide ? "wide" : "narrow"}" viewBox="0 0 ${width} ${height}" role="group" ` +
    `aria-label="Which lesson needs which: an arrow leads from a lesson to those that build on it">` +
    `<defs><marker id="${head}" viewBox="0 0 8 8" refX="2" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>` +
    `<g class="arrows">${arrows.join("")}</g>${boxes.join("")}</svg>`
  );
}

/** A title on at most two lines of a box. */
function wrapped(title, x, y) {
  const lines = [""];
  for (const word of title.replace(/:.*/, "").split(" ")) {
    if (`${lines.at(-1)} ${word}`.trim().length <= 20) lines.push(`${lines.pop()} ${word}`.trim());
    else lines.push(word);
  }
  const shown = lines.filter(Boolean).slice(0, 2);
  const first = y + (shown.length === 1 ? 27 : 19);
  return shown.map((line, i) => `<text x="${x}" y="${first + i * 16}">${escape(line)}</text>`).join(" ");
}

function card(lesson, picture) {
  const { number, name, title, question, minutes, before } = lesson;
  const after = before.map((one) => `<a href="#${cardOf(one)}">${one}</a>`).join(" and ");
  const image =
    picture === undefined
      ? ""
      : `<img src="pictures/${name}.svg" alt="${picture.alt}" width="300" height="150" loading="lazy">`;
  return (
    `<li class="card" id="${cardOf(number)}" data-lesson="${name}">${image}` +
    `<p class="number">Lesson ${number}</p>` +
    `<h3><a href="${open("", "notebooks", lesson.path)}">${escape(title)}</a></h3>` +
    `<p>${escape(question)}</p>` +
    `<p class="small">${minutes} minutes${after === "" ? "" : `, after ${after}`}` +
    `<a class="also" href="${open("", "lab", lesson.path)}">in Lab</a></p>` +
    `<p class="progress" hidden></p></li>`
  );
}

/** The pages without a cell that this build has, as tiles. */
function viewList(views) {
  const row = ([name, { title, text }]) =>
    `<li><a href="${name}/">${escape(title)}</a><span>${escape(text)}</span></li>`;
  return `<ol class="tiles">\n${Object.entries(views).map(row).join("\n")}\n</ol>`;
}

/** The lessons as the page's script needs them, safe inside a script element. */
const dataOf = (lessons) =>
  JSON.stringify(
    lessons.map(({ name, number, title, path: notebook, predictions }) => ({
      name,
      number,
      title,
      href: open("", "notebooks", notebook),
      predictions: predictions.map(({ key, section = "" }) => ({ key, section })),
    })),
  ).replaceAll("<", "\\u003c");

/** The parts of the first page, by the names of their places in static/index.html. Writes the pictures into the site. */
async function frontParts({ lessons }, views, out) {
  fs.mkdirSync(path.join(out, "pictures"), { recursive: true });
  const cards = [];
  for (const lesson of lessons) {
    const picture = await pictureOf(lesson);
    if (picture !== undefined)
      fs.writeFileSync(path.join(out, "pictures", `${lesson.name}.svg`), picture.svg);
    cards.push(card(lesson, picture));
  }
  return {
    DURATION: spoken(lessons.reduce((sum, { minutes }) => sum + minutes, 0)),
    COUNT: String(lessons.length),
    FIRST: spoken(lessons[0].minutes),
    LONGEST: spoken(Math.max(...lessons.map(({ minutes }) => minutes))),
    MAP: map(lessons, { wide: true }) + map(lessons, { wide: false }),
    LESSONS: `<ol class="cards">\n${cards.join("\n")}\n</ol>`,
    VIEWS: viewList(views),
    COURSE: `<script id="course" type="application/json">${dataOf(lessons)}</script>`,
  };
}

module.exports = { frontParts };
