// Measures datasets/measured/echo-trap.csv and echo-trap-alarms.csv again, part by part: every cell with 40 seeds, about
// 70 minutes on one core. Build first: npm run build
//   node datasets/measure-echo-trap.cjs [PART ...] [--workers N] [--again]
// A cell that the table has with all its seeds is kept unless --again, and a cell that is no longer in the grid is left out.
// Every finished run is a line of build/echo-trap/, so an interrupted measurement goes on where it was; the tables are
// written after each part. Runs of older code are lines as well: empty build/echo-trap/ before measuring all --again.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { followInTerminal } = require("turnwise/plot");
const {
  alarmRunsToCsv,
  alarmSeeds,
  alarmSettings,
  alarmSweep,
  changeName,
  echoTrapPartNames,
  echoTrapParts,
  echoTrapRows,
  echoTrapSeeds,
  echoTrapSweep,
  runsToCsv,
  storedAlarmRuns,
  storedRuns,
} = require("turnwise-course/echo-trap");
const { main, readArguments } = require("./measureParts.cjs");

const folder = path.join(__dirname, "..", "build", "echo-trap");
const file = (name) => path.join(__dirname, "measured", `${name}.csv`);
const read = (name, parse) => (fs.existsSync(file(name)) ? parse(fs.readFileSync(file(name), "utf8")) : []);
const cellKey = ({ trap, lever, change }) => [trap, lever, change].join("|");
const gridKey = (cell) => cellKey({ ...cell, change: changeName(cell) });
const inGrid = new Set(Object.values(echoTrapParts).flat().map(gridKey));
const runKey = (run) => `${cellKey(run)}|${run.seed}`;

async function script() {
  const {
    names,
    again,
    workers = 2,
  } = readArguments({
    what: "part",
    names: [...echoTrapPartNames, "alarms"],
    options: ["workers", "again"],
  });
  const byKey = (rows, keyOf) => new Map(rows.map((row) => [keyOf(row), row]));
  const runs = byKey(read("echo-trap", storedRuns), runKey);
  if (names.includes("alarms")) await measureAlarms({ again, workers });
  for (const part of names.filter((name) => name !== "alarms")) {
    const seeds = new Map();
    for (const run of runs.values()) seeds.set(cellKey(run), (seeds.get(cellKey(run)) ?? 0) + 1);
    const isOpen = (cell) => (seeds.get(gridKey(cell)) ?? 0) < echoTrapSeeds;
    const cells = echoTrapParts[part].filter((cell) => again || isOpen(cell));
    if (cells.length === 0) continue;
    // Another set of missing cells is another sweep.
    const log = path.join(folder, `${part}-${cells.length}-of-${echoTrapParts[part].length}.jsonl`);
    const sweep = echoTrapSweep(cells, { file: log, workers });
    const { results } = await followInTerminal(sweep);
    for (const run of echoTrapRows(part, cells, results)) runs.set(runKey(run), run);
    fs.writeFileSync(
      file("echo-trap"),
      runsToCsv([...runs.values()].filter((run) => inGrid.has(cellKey(run)))),
    );
  }
}

/** All runs on which alarms are judged: one sweep, kept as a whole or measured as a whole. */
async function measureAlarms({ again, workers }) {
  const { from, to } = alarmSeeds;
  const stored = read("echo-trap-alarms", storedAlarmRuns);
  if (!again && stored.length === Object.keys(alarmSettings).length * (to - from)) return;
  const { results } = await followInTerminal(
    alarmSweep({ file: path.join(folder, "alarms.jsonl"), workers }),
  );
  fs.writeFileSync(file("echo-trap-alarms"), alarmRunsToCsv(results.map(({ value }) => value)));
}

void main(script);
