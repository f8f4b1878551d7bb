// Measures datasets/measured/environments.csv, seed by seed, and environment-references.csv; what the files already
// hold is not measured again. Then writes the table in lib/turnwise/src/env/README.md. Build first: npm run build.
// Names of worlds as arguments measure these only. The table alone: npm run generated.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const lib = require("turnwise-course");
const { main, readArguments } = require("./measureParts.cjs");

const SEEDS = 10;
const rules = ["grpo", "seeUpo"];
const measured = (name) => path.join(__dirname, "measured", name);
const runs = measured("environments.csv");
const references = measured("environment-references.csv");
const runColumns = ["world", "rule", "seed", "mean", "standardError", "samples", "optimizerSteps", "seconds"];
const referenceColumns = ["world", "random", "optimum", "how", "beliefs"];

/** Lines of a CSV file without quotes, by column name. */
function read(file) {
  if (!fs.existsSync(file)) return [];
  const [head, ...lines] = fs.readFileSync(file, "utf8").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    const value = (text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
    return Object.fromEntries(names.map((name, i) => [name, value(cells[i])]));
  });
}

function append(file, columns, row) {
  if (!fs.existsSync(file)) fs.writeFileSync(file, columns.join(",") + "\n");
  fs.appendFileSync(file, columns.map((name) => row[name]).join(",") + "\n");
}

async function measure(wanted) {
  for (const world of lib.worlds) {
    if (!wanted.includes(world.name)) continue;
    if (!read(references).some((row) => row.world === world.name)) {
      append(references, referenceColumns, lib.environmentReference(world));
    }
    for (const rule of rules) {
      for (let seed = 0; seed < SEEDS; seed++) {
        const known = (row) => row.world === world.name && row.rule === rule && row.seed === seed;
        if (read(runs).some(known)) continue;
        const result = await lib.environmentRun(world, rule, seed);
        const rounded = Object.entries(result).map(([name, x]) => [name, Number(x.toPrecision(6))]);
        append(runs, runColumns, { world: world.name, rule, seed, ...Object.fromEntries(rounded) });
      }
      console.log(`${world.name}, ${rule}`);
    }
  }
}

/** The text of the README of the environments, with the table that the stored measurements give. */
const withMeasuredTable = (readme) =>
  lib.withEnvironmentTable(readme, lib.environmentTable(read(runs), read(references)));

async function script() {
  const { names } = readArguments({ what: "world", names: lib.worlds.map(({ name }) => name) });
  await measure(names);
  const readme = path.join(__dirname, "..", "lib", "turnwise", "src", "env", "README.md");
  fs.writeFileSync(readme, withMeasuredTable(fs.readFileSync(readme, "utf8")));
}

module.exports = { read, append, withMeasuredTable };
if (require.main === module) void main(script);
