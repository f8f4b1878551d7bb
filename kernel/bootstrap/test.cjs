"use strict";
require("./prepare.cjs").prepare(["lib", "kernel", "test"], (root, args) => {
  const fs = require("fs");
  const path = require("path");
  const spawn = require("child_process").spawn;
  const named = args.some((arg) => !arg.startsWith("-") && fs.existsSync(path.resolve(root, arg)));
  const specs = named ? [] : ["build/test/**/*.test.js"];
  const mocha = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [mocha].concat(specs, args), { cwd: root, stdio: "inherit" });
    ["SIGINT", "SIGTERM"].forEach((signal) => process.on(signal, () => child.kill(signal)));
    child.on("exit", (code) => resolve(code === null ? 1 : code));
  });
});
