"use strict";
const fs = require("fs");
const path = require("path");
const mocha = require("mocha");

const Base = mocha.reporters.Base;
const constants = mocha.Runner.constants;

/** How long each file of tests took when it last ran, in milliseconds. */
const durationsFile = path.join(".turnwise", "test-durations.json");

function readDurations() {
  try {
    return JSON.parse(fs.readFileSync(durationsFile, "utf8"));
  } catch (_none) {
    return {};
  }
}

function writeDurations(durations) {
  try {
    fs.mkdirSync(path.dirname(durationsFile), { recursive: true });
    fs.writeFileSync(durationsFile, JSON.stringify(durations, null, 1) + "\n");
  } catch (_readOnly) {
    // Only the next estimate misses them.
  }
}

/** What test/support/needs left on the test or on a suite around it: the reason, and the command that helps. */
function skipOf(test) {
  for (let node = test; node; node = node.parent)
    if (node.skipReason) return { reason: node.skipReason, command: node.skipCommand || "" };
  return { reason: "no reason given", command: "" };
}

function span(ms) {
  if (ms < 9950) return (ms / 1000).toFixed(1) + " s";
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return seconds + " s";
  const minutes = Math.floor(seconds / 60);
  return minutes < 10 ? minutes + " min " + (seconds % 60) + " s" : Math.round(seconds / 60) + " min";
}

/** Where a run is: which file of how many, how long it has taken, and how long the rest took the last time. */
class Position {
  constructor(files) {
    this.files = files;
    this.known = readDurations();
    this.taken = {};
    this.unusual = new Set();
    this.started = this.begun = Date.now();
    this.current = undefined;
  }

  /** Notes that a file begins; returns what to print beside its title, "" when it goes on or is the only one. */
  enter(file) {
    if (file === this.current) return "";
    this.leave();
    this.current = file;
    this.begun = Date.now();
    if (this.files.length < 2) return "";
    const number = this.files.indexOf(file) + 1;
    const left = this.left(this.files.slice(number - 1));
    const elapsed = number === 1 ? "" : ", " + span(Date.now() - this.started);
    return number + " of " + this.files.length + elapsed + (left ? ", about " + span(left) + " left" : "");
  }

  leave() {
    if (this.current !== undefined) this.taken[this.current] = Date.now() - this.begun;
  }

  /** Milliseconds that the given files took the last time, at the pace of this run; 0 when none of them ever ran. */
  left(files) {
    const sum = (names, of) => names.reduce((total, name) => total + of[name], 0);
    const known = files.filter((file) => file in this.known);
    if (known.length === 0) return 0;
    const both = Object.keys(this.taken).filter((file) => file in this.known);
    const before = sum(both, this.known);
    // A few fast files say nothing about the pace of a machine.
    const pace = before > 5000 ? Math.min(4, Math.max(0.25, sum(both, this.taken) / before)) : 1;
    return ((sum(known, this.known) * files.length) / known.length) * pace;
  }

  /** Says that the current file does not take its usual time, as a test failed or was skipped. */
  spoil() {
    this.unusual.add(this.current);
  }

  /** Keeps the times of the files of this checkout that ran as usual. */
  end() {
    this.leave();
    const usual = Object.keys(this.taken).filter(
      (file) => !this.unusual.has(file) && !file.startsWith("../"),
    );
    usual.forEach((file) => (this.known[file] = this.taken[file]));
    if (usual.length) writeDurations(this.known);
  }
}

/** A tree of promises, what was skipped and why, and one closing line that a script can read. */
class Reporter extends Base {
  constructor(runner, options) {
    super(runner, options);
    let depth = 0;
    let failures = 0;
    let skipped = 0;
    let again = 0;
    const skips = new Map();
    const relative = (file) => path.relative(process.cwd(), file).split(path.sep).join("/");
    const files = runner.suite.suites.map((suite) => relative(suite.file || ""));
    const position = new Position(files.filter((file, i) => files.indexOf(file) === i));
    const line = (text) => Base.consoleLog("  ".repeat(depth) + text);

    runner.on(constants.EVENT_SUITE_BEGIN, (suite) => {
      if (suite.title) {
        const where = suite.parent.root ? position.enter(relative(suite.file || "")) : "";
        line(Base.color("suite", suite.title) + (where && Base.color("light", "  [" + where + "]")));
      }
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
      position.spoil();
      const { reason, command } = skipOf(test);
      const group = skips.get(reason) || { count: 0, command: command };
      group.count++;
      skips.set(reason, group);
      line(Base.color("pending", "skip " + test.title + ": " + reason));
    });
    // The list of failures at the end may be cut from a long log: the first lines of the reason stand here, too.
    const tell = (error) => {
      const reason = String((error && error.message) || error).split("\n");
      for (const text of reason.slice(0, 6)) line("     " + text.slice(0, 300));
    };
    runner.on(constants.EVENT_TEST_FAIL, (test, error) => {
      position.spoil();
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
      if (!options.grep) position.end();
      if (this.failures.length) Base.list(this.failures);
      if (again) Base.consoleLog("\n" + again + " tried again, see AGAIN above");
      if (skipped) Base.consoleLog("\nSkipped:");
      skips.forEach(({ count, command }, reason) => {
        Base.consoleLog(String(count).padStart(5) + "  " + reason + (command && "; to enable: " + command));
      });
      Base.consoleLog("\n" + span(duration || 0));
      Base.consoleLog(passes + " passed, " + failures + " failed, " + skipped + " skipped");
    });
  }
}

module.exports = Reporter;
