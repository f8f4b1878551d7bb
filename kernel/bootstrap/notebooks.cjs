"use strict";
require("./prepare.cjs").prepare(["lib", "kernel"], (root, args) =>
  require("../dist/cli/main.js").main(["run"].concat(args), { root: root }),
);
