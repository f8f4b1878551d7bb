"use strict";
const path = require("path");
const requireNode = require("./node-version.cjs").requireNode;

/**
 * Prepares a checkout until its compiled code runs, then calls it.
 * The imports stay inside the function: on an old Node nothing but the version check may run.
 */
function prepare(projects, then) {
  requireNode();
  const steps = require("./steps.cjs");
  const root = path.resolve(__dirname, "..", "..");
  const work = async () => {
    await require("./lock.cjs").exclusively(root, async () => {
      await require("./install.cjs").installPackages(root);
      await require("./build.cjs").build(root, projects);
      await require("./native.cjs").compileKernels(root);
    });
    return then(root, process.argv.slice(2));
  };
  work().then(
    (code) => {
      if (typeof code === "number") process.exitCode = code;
    },
    (error) => {
      steps.report(error);
      process.exitCode = process.exitCode || 1;
    },
  );
}

module.exports = { prepare: prepare };
