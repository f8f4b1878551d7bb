"use strict";
require("./prepare.cjs").prepare(["lib", "kernel", "test"], (_root, args) =>
  require("../../build/test/trl/main.js").main(args),
);
