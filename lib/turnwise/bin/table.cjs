#!/usr/bin/env node
// Prints the table of recipes as Markdown; lib/turnwise/README.md shows it, and `npm run generated` renews it there.
const { recipeTable } = require("../dist/rule");

if (process.argv.length > 2) {
  console.error(
    `Cannot print the table of recipes: there must be no arguments, got ${process.argv.slice(2).join(" ")}.`,
  );
  process.exitCode = 2;
} else console.log(recipeTable());
