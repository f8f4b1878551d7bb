#!/usr/bin/env node
// Prints the table of recipes as Markdown; with --write, puts it between the markers of lib/README.md.
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { recipeTable, withRecipeTable } = require("../dist/rule");

if (process.argv.includes("--write")) {
  const readme = join(__dirname, "..", "README.md");
  writeFileSync(readme, withRecipeTable(readFileSync(readme, "utf8")));
  console.log(`wrote the table of recipes to ${readme}`);
} else {
  console.log(recipeTable());
}
