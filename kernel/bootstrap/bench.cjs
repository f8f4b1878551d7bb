"use strict";
require("./prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel", "site", "test"],
  () => {
    // The notebooks take an hour or two, and are no part of the page.
    const notebooks = process.argv[2] === "notebooks";
    if (notebooks) process.argv.splice(2, 1);
    require("../../build/test/bench/" + (notebooks ? "notebooks.js" : "main.js"));
  },
);
