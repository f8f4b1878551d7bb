"use strict";
// How fast the library trains in a page, as a part of Node's pace: each kind of policy, and what each lesson trains. Node and the page
// take turns, and the medians are compared: `node kernel/site/speed.cjs [rounds] [row ...]`, after a build; with TURNWISE_NATIVE=off,
// both have the kernels that need no compiler. Rows are policies and numbers of lessons, such as `5 table log-linear 01`; none means
// all, and a name that no row has is refused.

const { tables } = require("../../build/test/site/librarySpeed.js");

const [rounds = "5", ...asked] = process.argv.slice(2);

tables(Number(rounds), asked).then(
  (text) => console.log(text),
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
