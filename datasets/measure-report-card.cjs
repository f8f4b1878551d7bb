// Measures of datasets/measured/report-card.jsonl what it does not hold: recipes on the worlds of the report card, a minute and a
// half of one core for one, and with --again all of them, fifteen; goes on where it was interrupted. The page lib/turnwise/REPORT-CARD.md:
// npm run generated. Build first: npm run build
//   node datasets/measure-report-card.cjs [recipe ...] [--again] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, recipeNames, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const {
  recordLine,
  reportCardTask,
  storedCardOptions,
  storedRecords,
  storedSettings,
} = require("turnwise/internal/card/stored");
const { main, readArguments } = require("./measureParts.cjs");

const stored = path.join(__dirname, "measured", "report-card.jsonl");

/** The stored lines by row and setting. */
function known() {
  const settings = storedSettings();
  const place = ({ world, horizon, groups, groupSize, staleness, mismatch }) =>
    [world.name ?? world, horizon, groups, groupSize, staleness, mismatch].join(" ");
  const numbers = new Map(settings.map((setting, number) => [place(setting), number]));
  const lines = fs.existsSync(stored) ? fs.readFileSync(stored, "utf8").trim().split("\n") : [];
  return new Map(
    lines.map((line) => {
      const record = JSON.parse(line);
      return [`${record.row} ${numbers.get(place(record))}`, line];
    }),
  );
}

async function script() {
  const o = readArguments({ what: "recipe", names: recipeNames, options: ["workers", "again"] });
  const setting = [...storedSettings().keys()];
  const lines = known();
  const measured = (row) => setting.every((number) => lines.has(`${row} ${number}`));
  const rows = o.names.filter((row) => o.again || !measured(row));
  if (rows.length === 0) return;
  const file = path.join(__dirname, "..", "build", "measured", `report-card-${rows.join("-")}.jsonl`);
  const { seeds } = storedCardOptions;
  const { workers = 2 } = o;
  await followInTerminal(
    sweep({ task: reportCardTask, grid: { setting, rows: [rows] }, seeds, file, workers }),
  );
  const { results } = merge([file]);
  for (const number of setting) {
    const own = results.filter(({ cell }) => cell.setting === number).sort((a, b) => a.seed - b.seed);
    const values = own.map(({ value }) => value);
    for (const record of storedRecords(number, values, rows)) {
      lines.set(`${record.row} ${number}`, recordLine(record));
    }
  }
  const all = setting.flatMap((number) => recipeNames.map((row) => lines.get(`${row} ${number}`)));
  fs.writeFileSync(stored, `${all.filter((line) => line !== undefined).join("\n")}\n`);
}

if (require.main === module) void main(script);
