"use strict";
require("./prepare.cjs").prepare(["lib", "kernel"], (root, args) =>
  require("../dist/cli/main.js").main(["lab"].concat(args), { root: root }),
);
