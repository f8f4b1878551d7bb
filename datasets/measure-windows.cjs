// Measures datasets/measured/echo-trap-windows.csv again: sixty updates of every run of echo-trap-alarms.csv that can be shown before
// the question whether it falls, and what followed. About 15 minutes on one core. Build first: npm run build
//   node datasets/measure-windows.cjs
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { storedAlarmRuns } = require("turnwise-course/echo-trap");
const {
  placedWindows,
  shownWindow,
  shownWindowsToCsv,
} = require("turnwise-course/internal/04-echo-trap/alarms/shownWindow");
const { main, readArguments } = require("./measureParts.cjs");

const file = (name) => path.join(__dirname, "measured", `${name}.csv`);

async function script() {
  readArguments({ what: "name" });
  const placed = placedWindows(storedAlarmRuns(fs.readFileSync(file("echo-trap-alarms"), "utf8")));
  const windows = [];
  for (const window of placed) {
    windows.push(await shownWindow(window));
    if (windows.length % 20 === 0) console.error(`${windows.length} of ${placed.length}`);
  }
  fs.writeFileSync(file("echo-trap-windows"), shownWindowsToCsv(windows));
}

void main(script);
