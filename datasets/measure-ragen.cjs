// Measures datasets/measured/ragen.csv again: RAGEN's environments under its settings, 40 seeds of three rows, about six
// minutes on one core; goes on where it was interrupted. Build first: npm run build
//   node datasets/measure-ragen.cjs [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const { ragenEnvs, ragenRows } = require("turnwise-course/echo-trap");
const { main, readArguments } = require("./measureParts.cjs");

const columns =
  "start,final,peak,peakAt,stdCliff,entropyCliff,fall,spikeAt,entropy,topShare,q1,q2,q3,q4".split(",");

async function script() {
  const file = path.join(__dirname, "..", "build", "ragen.jsonl");
  const { workers = 2 } = readArguments({ what: "name", options: ["workers"] });
  const grid = { env: [...ragenEnvs], row: [...ragenRows] };
  await followInTerminal(
    sweep({
      task: { module: "turnwise-course/jobs", export: "ragenJob" },
      grid,
      seeds: 40,
      metric: "final",
      file,
      workers,
    }),
  );
  const rows = merge([file]).results.map(({ cell, seed, value }) => {
    const cells = columns.map((name) => (value[name] === null ? "" : Number(value[name].toPrecision(6))));
    return [cell.env, cell.row, seed, ...cells].join(",");
  });
  fs.writeFileSync(
    path.join(__dirname, "measured", "ragen.csv"),
    [`env,row,seed,${columns}`, ...rows].join("\n") + "\n",
  );
}

void main(script);
