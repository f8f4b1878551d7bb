"use strict";
require("./prepare.cjs").prepare(["lib", "kernel", "test"], () => {
  require("../../build/test/bench/main.js");
});
