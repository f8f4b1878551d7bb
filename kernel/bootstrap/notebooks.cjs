"use strict";
require("./prepare.cjs").prepare(["lib/turnwise", "lib/practice", "lib/course", "kernel"], (root, args) =>
  require("../dist/cli/main.js").main(["run"].concat(args), { root: root }),
);
