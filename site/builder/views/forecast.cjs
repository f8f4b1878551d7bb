"use strict";
// The runs of the page about the forecaster: a small JSON file, made of two stored tables.

const fs = require("fs");
const path = require("path");

const root = path.join(__dirname, "..", "..", "..");
const table = (name) => fs.readFileSync(path.join(root, "datasets", "measured", `${name}.csv`), "utf8");

/** Writes the runs that a round may show. */
function writeForecastParts(folder) {
  // Compiled by then: a site is built after the packages.
  const { poolOf } = require("../../dist/views/forecast/pool.js");
  const { packedPool } = require("../../dist/views/forecast/packedPool.js");
  const pool = packedPool(poolOf(table("echo-trap-windows"), table("echo-trap-alarms")));
  fs.writeFileSync(path.join(folder, "runs.json"), JSON.stringify(pool));
}

module.exports = { writeForecastParts: writeForecastParts };
