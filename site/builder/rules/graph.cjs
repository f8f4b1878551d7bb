"use strict";
// The map of the rules as a drawing: the tree of the closest rules, from left to right, in which a thick line is a single field.

const { escape } = require("../page.cjs");

const ROW = 18;
const TOP = 14;
/** Width of the first column, which has one short name, and of all others; of a line between two columns. */
const FIRST = 126;
const COLUMN = 238;
const LINE = 84;
/** Letters that fit between two lines, and the width of one. */
const LETTERS = 23;
const LETTER = 6.8;

const xOf = (depth) => (depth === 0 ? 0 : FIRST + (depth - 1) * COLUMN);

/** A title without its subtitle, as far as there is room. */
function nameOf(title, titles) {
  const short = title.replace(/ \(.*\)$/, "");
  const isOwn = titles.filter((other) => other.replace(/ \(.*\)$/, "") === short).length === 1;
  const name = isOwn ? short : title;
  return name.length <= LETTERS ? name : `${name.slice(0, LETTERS - 1).trimEnd()}…`;
}

/** Places of the rules, in the order of the tree: a rule's first child is on its own line, and each other child below all before it. */
function rowsOf(ordered) {
  const rows = new Map();
  const met = new Set();
  let last = 0;
  for (const { name, parent } of ordered) {
    if (parent !== undefined && met.has(parent)) last++;
    met.add(parent);
    rows.set(name, last);
  }
  return rows;
}

/** Looks of a line by the number of fields that it stands for. */
const lookOf = ({ fields }) => (fields.length <= 1 ? "one" : fields.length === 2 ? "two" : "more");

const letters = "abcdef";

/** Class of a group's color. */
const colorsOf = (rules) => {
  const groups = [...new Set(rules.map(({ group }) => group))];
  return new Map(groups.map((group, i) => [group, letters[i % letters.length]]));
};

/**
 * The drawing as HTML. The table below it has the same links and words, so it is left out for assistive technology and the keyboard;
 * a phone has no room for it.
 */
function graph(rules) {
  const ordered = [...rules].sort((a, b) => a.place - b.place);
  const rows = rowsOf(ordered);
  const titles = rules.map(({ title }) => title);
  const shortNames = new Map(rules.map(({ name, title }) => [name, nameOf(title, titles)]));
  const colors = colorsOf(rules);
  const yOf = (name) => TOP + rows.get(name) * ROW;
  const lines = ordered
    .filter(({ parent }) => parent !== undefined)
    .map(({ name, parent, depth, step }) => {
      const [x, y] = [xOf(depth), yOf(name)];
      const from = yOf(parent);
      const trunk = x - LINE;
      const isBeside = from === y;
      const start = isBeside
        ? Math.round(xOf(depth - 1) + shortNames.get(parent).length * LETTER + 8)
        : trunk;
      const down = isBeside ? "" : `<path class="trunk" d="M${trunk} ${from}V${y}"/>`;
      const field =
        step.fields.length === 1
          ? `<text x="${trunk + 5}" y="${y - 4}">${escape(step.fields[0])}</text>`
          : "";
      return `${down}<path class="${lookOf(step)}" d="M${start} ${y}H${x - 5}"/>${field}`;
    });
  const names = ordered.map(({ name, title, depth, group, step }) => {
    const difference = step === undefined ? "" : `: ${step.fields.join(", ") || "another schedule"}`;
    return (
      `<a href="${name}/" tabindex="-1" data-node="${name}" class="${colors.get(group)}">` +
      `<title>${escape(title + difference)}</title>` +
      `<text x="${xOf(depth)}" y="${yOf(name) + 4}">${escape(shortNames.get(name))}</text></a>`
    );
  });
  const width = Math.max(...ordered.map(({ depth }) => xOf(depth))) + LETTERS * LETTER;
  const height = TOP + Math.max(...rows.values()) * ROW + TOP;
  const keys = [...colors].map(([group, look]) => `<span class="group-key ${look}">${escape(group)}</span>`);
  return `<figure class="tree" aria-hidden="true">
<svg viewBox="0 0 ${Math.round(width)} ${height}"><g class="lines">${lines.join("")}</g>${names.join("")}</svg>
<figcaption><span>Lines: <b>thick</b> one field, named; <b>thin</b> two; <b>dotted</b> more. Colors:</span> ${keys.join(" ")}</figcaption>
</figure>`;
}

module.exports = { graph: graph, rowsOf: rowsOf };
