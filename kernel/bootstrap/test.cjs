"use strict";
require("./prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel", "site", "test"],
  (_root, args) => require("../../build/test/support/runTests.js").runTests(args),
);
