// Measures datasets/measured/report-card.jsonl again: every recipe on the worlds of the report card, about fifteen minutes
// of one core; goes on where it was interrupted. The page lib/REPORT-CARD.md: npm run generated. Build first: npm run build
//   node datasets/measure-report-card.cjs [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const {
  recordLine,
  reportCardTask,
  storedCardOptions,
  storedRecords,
  storedSettings,
} = require("turnwise/dist/study/reportCard/stored");
const { main, readArguments } = require("./measureParts.cjs");

const stored = path.join(__dirname, "measured", "report-card.jsonl");

async function script() {
  const file = path.join(__dirname, "..", "build", "measured", "report-card.jsonl");
  const { workers = 2 } = readArguments({ what: "name", options: ["workers"] });
  const setting = [...storedSettings().keys()];
  const { seeds } = storedCardOptions;
  await followInTerminal(sweep({ task: reportCardTask, grid: { setting }, seeds, file, workers }));
  const { results } = merge([file]);
  const lines = setting.flatMap((number) => {
    const own = results.filter(({ cell }) => cell.setting === number).sort((a, b) => a.seed - b.seed);
    return storedRecords(
      number,
      own.map(({ value }) => value),
    ).map(recordLine);
  });
  fs.writeFileSync(stored, `${lines.join("\n")}\n`);
}

if (require.main === module) void main(script);
