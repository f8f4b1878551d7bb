"use strict";
// How fast the library trains in a page, as a part of Node's pace: each kind of policy, and what each lesson trains. In each visit a new
// process of Node and a new worker of a page train it three to ten times in turns, and the medians of the visits are told:
// `node site/builder/speed.cjs [visits] [row ...]`, after a build; with TURNWISE_NATIVE=off, both have the kernels that need no
// compiler. Rows are policies and numbers of lessons, such as `5 table log-linear 01`; none means all, and a name that no row has is
// refused.

const { table } = require("../../build/test/site/librarySpeed.js");

async function main([visits = "5", ...rows]) {
  for await (const line of table(Number(visits), rows)) console.log(line);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
