"use strict";
// The words that this repository has retired, and the words to write instead: one list for comments, strings, Markdown and the
// Markdown cells of notebooks. ESLint reads it (rule house/words); for the other files:
//   node .ci/words.cjs            reports every retired word with its replacement; part of `npm run check`
const { readFileSync } = require("node:fs");
const { execFileSync } = require("node:child_process");
const path = require("node:path");

const percentPattern = /\d %(?=[^\w(]|$)/g;

/** Each pattern with the words to write instead. A match in `code` spans, links and quoted names does not count. */
const retired = [
  [/\banew\b/gi, "again, from scratch"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\bone's own\b/gi, "your own, custom"],
  [/\b(?:what|if) one (?:types|writes|wants|knows|sees|needs|can|must)\b/gi, "you"],
  [/\bone types\b/gi, "you type"],
  [/\bin the place of\b/gi, "instead of, replacing"],
  [/\b(?:tells|told) of\b/gi, "reports, describes"],
  [/\b(?:after|every|of|by) so many\b/gi, "a number with a name: every `n` updates; that many"],
  [/\bheld (?:to|against)\b/gi, "checked against, compared with"],
  [/\bin the midst\b/gi, "in the middle"],
  [/\bheed(?:s|ed|ing)?\b/gi, "obey, follow"],
  [/\bfor want of\b/gi, "for lack of"],
  [/\btrainings\b(?!\.\w)/gi, "training runs"],
  [percentPattern, "the percent sign without a space: 75%"],
  [/(?<=^|[.:;!?]\s+)Should (?:a|an|the|it|they|this|that|any|one) (?:\w+ ){0,4}?\w+,/g, "If ... happens,"],
  [
    /\bCannot [^:.\n]{1,60}? as (?=[^:.\n]*\b(?:must|needs to|has to)\b)/g,
    "Cannot <action>: <path> must <condition>, got <value>.",
  ],
];

/** Docstrings, and the help of options and commands, start with a noun phrase or a third-person verb. */
const opening = /^(?:What|How|Where|Who|Whom|Whose)\b(?!\?|[^.]*\?)/;
const openingAdvice = "a noun phrase, or a third-person verb";

/**
 * @param o.percent whether to look at percent signs: charts of stored outputs have them with a space
 * @returns the retired words of a text, each with its place in it and the words to write instead
 */
function retiredIn(text, { percent = true } = {}) {
  const found = [];
  for (const [pattern, instead] of retired)
    if (percent || pattern !== percentPattern)
      for (const match of text.matchAll(pattern))
        found.push({ at: match.index, words: match[0].trim(), instead });
  return found;
}

/** Blanks out, at equal length, what is quoted and not written: code, addresses of links, HTML tags, and *words* of a figure. */
const prose = (text) =>
  text.replace(/```[^]*?```|~~~[^]*?~~~|`[^`\n]*`|\]\([^)\s]*\)|<[^>\n]*>|(?<!\*)\*\w+\*(?!\*)/g, (quoted) =>
    quoted.replace(/[^\n]/g, " "),
  );

function* inMarkdown(file, text) {
  const plain = prose(text);
  for (const { at, words, instead } of retiredIn(plain))
    yield `${file}:${plain.slice(0, at).split("\n").length}: "${words}": write ${instead}`;
}

function* inNotebook(file, text) {
  for (const [i, cell] of JSON.parse(text).cells.entries())
    if (cell.cell_type === "markdown")
      for (const { words, instead } of retiredIn(prose([cell.source].flat().join(""))))
        yield `${file}, cell ${i + 1}: "${words}": write ${instead}`;
}

/** Written by programs from texts that are checked where they stand, or about former versions. */
const leftOut =
  /(?:^|\/)(?:node_modules|dist|build|vendor|fixtures)\/|^(?:CHANGELOG\.md|lib\/turnwise\/moved\/)/;

function main(root) {
  const files = execFileSync("git", ["ls-files", "-z", "*.md", "*.ipynb"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && !leftOut.test(file));
  let count = 0;
  for (const file of files) {
    const text = readFileSync(path.join(root, file), "utf8");
    for (const line of file.endsWith(".ipynb") ? inNotebook(file, text) : inMarkdown(file, text)) {
      count++;
      console.error(line);
    }
  }
  process.exitCode = count === 0 ? 0 : 1;
}

module.exports = { retiredIn, opening, openingAdvice, prose };
if (require.main === module) main(path.resolve(__dirname, ".."));
