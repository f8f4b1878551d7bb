#!/usr/bin/env node
// Trains every recipe with its default settings on LookUp-v0 and writes what it reached to src/rule/measured.ts.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { recipeNames, train } = require("../dist");

const updates = 150;
const seeds = [1, 2, 3, 4, 5];

async function reached(recipe, seed) {
  let last;
  for await (const record of train({ env: "LookUp-v0", recipe, updates, seed, evaluateExact: updates }))
    last = record;
  return Number(last.metrics["return/exact"].toFixed(3));
}

async function main() {
  const lines = [];
  for (const name of recipeNames) {
    const values = [];
    for (const seed of seeds) values.push(await reached(name, seed));
    lines.push(`  ${name}: [${values.join(", ")}],`);
    console.log(lines.at(-1));
  }
  const text = [
    'import type { RecipeName } from "./recipes";',
    "",
    "/**",
    ` * Exact return of each recipe after ${updates} updates of 8 x 8 trajectories on LookUp-v0 (optimum 1) with default`,
    ` * settings, for seeds ${seeds.join(", ")}. Written by \`node lib/bin/measure.cjs\`.`,
    " */",
    "export const measuredOnLookUp: Readonly<Record<RecipeName, readonly number[]>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
  writeFileSync(join(__dirname, "..", "src", "rule", "measured.ts"), text);
}

void main();
