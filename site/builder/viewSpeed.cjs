"use strict";
// Weight and speed of the pages without a cell, in Chromium: `node site/builder/viewSpeed.cjs [--pictures]`, after a build;
// with --pictures, it also takes those of README again.

const { table } = require("../../build/test/site/viewSpeed.js");

async function main(args) {
  const unknown = args.find((word) => word !== "--pictures");
  if (unknown !== undefined)
    throw new Error(`Cannot measure the pages: the only option must be --pictures, got "${unknown}".`);
  for await (const line of table(args.length > 0)) console.log(line);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
