"use strict";
require("./prepare.cjs").prepare(
  ["lib/turnwise", "lib/practice", "lib/course", "kernel", "site", "test"],
  async (_root, args) => {
    const { status } = await require("../../build/test/support/runNodes.js").runNodes(args);
    return status;
  },
);
