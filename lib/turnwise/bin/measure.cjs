// The text of src/rule/measured.ts: what every recipe reaches on LookUp-v0 with its default settings.
const { recipeNames, train } = require("../dist");

const updates = 150;
const seeds = [1, 2, 3, 4, 5];

async function reached(recipe, seed) {
  let last;
  for await (const record of train({ env: "LookUp-v0", recipe, updates, seed, exactEvery: updates }))
    last = record;
  return Number(last.metrics["return/exact"].toFixed(3));
}

async function measured() {
  const lines = [];
  for (const name of recipeNames) {
    const values = [];
    for (const seed of seeds) values.push(await reached(name, seed));
    lines.push(`  ${name}: [${values.join(", ")}],`);
  }
  return [
    "/**",
    ` * Exact return of each recipe after ${updates} updates of 8 x 8 trajectories on LookUp-v0 (optimum 1) with default`,
    ` * settings, for seeds ${seeds.join(", ")}. Written by \`npm run generated\`.`,
    " */",
    "export const measuredOnLookUp: Readonly<Partial<Record<string, readonly number[]>>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

module.exports = { measured, reached, seeds };
