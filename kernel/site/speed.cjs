"use strict";
// How fast the library trains in a page, as a part of Node's pace: each kind of policy, and what each lesson trains. Node and the page
// take turns, and the medians are compared: `node kernel/site/speed.cjs [rounds]`, after a build; with TURNWISE_NATIVE=off, both
// have the kernels that need no compiler.

const { tables } = require("../../build/test/site/librarySpeed.js");

void tables(Number(process.argv[2] ?? 5)).then((text) => console.log(text));
