"use strict";
const { codeCells } = require("../code.cjs");

const mime = "application/vnd.turnwise.ledger+json";

/** The ledger is one line of code, and four to six rows that a teacher could repeat. */
function look(notebook) {
  const cells = codeCells(notebook).filter(({ source }) => /\bledger\(/.test(source));
  if (cells.length !== 1)
    return [
      [
        "the notebook",
        `has ${String(cells.length)} cells with a ledger; it must have one: ledger(claims.x);`,
      ],
    ];
  const [{ place, source, outputs }] = cells;
  const lines = source.split("\n").filter((line) => line.trim() !== "" && !/^(?:import\b|\/\/)/.test(line));
  if (lines.length !== 1 || !/^ledger\(claims\.\w+\);$/.test(lines[0]))
    return [
      [
        place,
        "the ledger must be one line, ledger(claims.x); state its rows in lib/course/src/<lesson>/lesson.ts",
      ],
    ];
  const rows = outputs.flatMap(({ data }) => data?.[mime] ?? []).length;
  if (rows >= 4 && rows <= 6) return [];
  return [
    [place, `the ledger shows ${String(rows)} rows; it must have four to six: the appendix keeps the others`],
  ];
}

module.exports = { kinds: ["lesson"], look };
