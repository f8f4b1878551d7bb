"use strict";
const { reporters } = require("mocha");
const { listen, relative } = require("../../build/test/support/report/events.js");
const { Report } = require("../../build/test/support/report/report.js");

/** Prints the report of one process of mocha. */
class Reporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    const files = runner.suite.suites.map((suite) => relative(suite.file || ""));
    const report = new Report({
      files: files.filter((file, i) => files.indexOf(file) === i),
      times: Boolean(process.env.TURNWISE_TEST_TIMES),
      store: !options.grep,
    });
    listen(runner, (event) => {
      if (event.t === "end") report.end();
      else report.hear(event);
    });
  }
}

module.exports = Reporter;
