"use strict";
// How fast the library trains in a page: updates a second in Chromium as a part of Node's, one row for each kind of policy. Node and
// the page take turns, and the medians are compared: `node kernel/site/speed.cjs [rounds]`, after a build.

const { speeds } = require("../../build/test/site/librarySpeed.js");

void speeds(Number(process.argv[2] ?? 5)).then((rows) => {
  console.log("policy         Node/s   page/s   ratio");
  for (const { name, node, page } of rows) {
    const number = (x) => x.toFixed(1).padStart(9);
    console.log(name.padEnd(12) + number(node) + number(page) + (page / node).toFixed(2).padStart(8));
  }
});
