#!/usr/bin/env node
// Prints the table of recipes as Markdown; lib/README.md shows it, and `npm run generated` renews it there.
const { recipeTable } = require("../dist/rule");

console.log(recipeTable());
