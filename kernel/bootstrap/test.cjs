"use strict";
require("./prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel", "test"],
  (_root, args) => require("../../build/test/support/runTests.js").runTests(args),
);
