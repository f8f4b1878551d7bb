"use strict";
const { reporters } = require("mocha");
const { listen } = require("../../build/test/support/report/events.js");

// Whoever prints is gone: nobody would hear of these tests.
process.on("disconnect", () => process.exit(1));
// That alone keeps no process running.
process.channel?.unref();

/** Tells what one process of mocha does to the process that prints the report of all. */
class LaneReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    listen(runner, (event) => {
      if (process.connected) process.send(event);
    });
  }
}

module.exports = LaneReporter;
