"use strict";
const path = require("path");

require("./prepare.cjs").prepare(["lib/turnwise", "lib/practice", "lib/course", "kernel"], (root, args) =>
  require("../dist/cli/main.js").main(
    // The last one counts, so that --notes of the command line does.
    ["slides", "--notes", path.join(root, "lib", "course", "src")].concat(args),
    { root: root },
  ),
);
