"use strict";
const mocha = require("mocha");

const Base = mocha.reporters.Base;
const constants = mocha.Runner.constants;

/** The reason that test/support/needs left on the test or on a suite around it. */
function reasonOf(test) {
  for (let node = test; node; node = node.parent) if (node.skipReason) return node.skipReason;
  return "no reason given";
}

/** A tree of promises, skipped ones with their reason, and one closing line that a script can read. */
class Reporter extends Base {
  constructor(runner, options) {
    super(runner, options);
    let depth = 0;
    let failures = 0;
    let skipped = 0;
    let again = 0;
    const line = (text) => Base.consoleLog("  ".repeat(depth) + text);

    runner.on(constants.EVENT_SUITE_BEGIN, (suite) => {
      if (suite.title) line(Base.color("suite", suite.title));
      depth++;
    });
    runner.on(constants.EVENT_SUITE_END, () => {
      depth--;
    });
    runner.on(constants.EVENT_TEST_PASS, (test) => {
      const slow = test.speed === "fast" ? "" : Base.color(test.speed, " (" + test.duration + " ms)");
      line(Base.color("checkmark", "ok   ") + Base.color("pass", test.title) + slow);
    });
    runner.on(constants.EVENT_TEST_PENDING, (test) => {
      skipped++;
      line(Base.color("pending", "skip " + test.title + ": " + reasonOf(test)));
    });
    // The list of failures at the end may be cut from a long log: the first lines of the reason stand here, too.
    const tell = (error) => {
      const reason = String((error && error.message) || error).split("\n");
      for (const text of reason.slice(0, 6)) line("     " + text.slice(0, 300));
    };
    runner.on(constants.EVENT_TEST_FAIL, (test, error) => {
      line(Base.color("fail", "FAIL " + ++failures + ") " + test.title));
      tell(error);
    });
    runner.on(constants.EVENT_TEST_RETRY, (test, error) => {
      again++;
      line(Base.color("medium", "AGAIN " + test.title + ": its first try failed"));
      tell(error);
    });
    runner.once(constants.EVENT_RUN_END, () => {
      const { passes, duration } = this.stats;
      if (this.failures.length) Base.list(this.failures);
      if (again) Base.consoleLog("\n" + again + " tried again, see AGAIN above");
      Base.consoleLog("\n" + ((duration || 0) / 1000).toFixed(1) + " s");
      Base.consoleLog(passes + " passed, " + failures + " failed, " + skipped + " skipped");
    });
  }
}

module.exports = Reporter;
