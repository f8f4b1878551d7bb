// Measures datasets/measured/policies.csv, every policy in every world it can act in, seed by seed; what the file already
// holds is not measured again. Then writes the table in lib/turnwise/src/policy/README.md. Build first: npm run build.
// Names of worlds as arguments measure these only. The table alone: npm run generated.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { make } = require("turnwise");
const { randomReturn } = require("turnwise/exact");
const lib = require("turnwise-course");
const { append, read } = require("./measure-environments.cjs");
const { main, readArguments } = require("./measureParts.cjs");

const SEEDS = 3;
const file = path.join(__dirname, "measured", "policies.csv");
const columns = ["world", "policy", "seed", "random", "untrained", "mean", "standardError", "seconds"];
const rounded = (x) => (typeof x === "number" ? Number(x.toPrecision(6)) : x);

async function measure(wanted) {
  const worlds = lib.matrixWorlds.filter(({ name }) => wanted.includes(name));
  const random = new Map();
  for (let seed = 0; seed < SEEDS; seed++) {
    for (const world of worlds) {
      for (const column of lib.policyColumns) {
        const known = (row) => row.world === world.name && row.policy === column.name && row.seed === seed;
        if (read(file).some(known) || lib.misfit(world, column) !== undefined) continue;
        if (!random.has(world)) random.set(world, randomReturn(make(world.id, world.options)));
        const result = await lib.policyRun(world, column, seed);
        const row = { world: world.name, policy: column.name, seed, random: random.get(world), ...result };
        append(file, columns, Object.fromEntries(Object.entries(row).map(([name, x]) => [name, rounded(x)])));
      }
      console.log(`${world.name}, seed ${seed}`);
    }
  }
}

/** The text of the README of the policies, with the table that the stored measurements give. */
const withMeasuredTable = (readme) => lib.withPolicyTable(readme, lib.policyTable(read(file)));

async function script() {
  const { names } = readArguments({ what: "world", names: lib.matrixWorlds.map(({ name }) => name) });
  await measure(names);
  const readme = path.join(__dirname, "..", "lib", "turnwise", "src", "policy", "README.md");
  fs.writeFileSync(readme, withMeasuredTable(fs.readFileSync(readme, "utf8")));
}

module.exports = { withMeasuredTable };
if (require.main === module) void main(script);
