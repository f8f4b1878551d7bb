"use strict";

const fc = require("fast-check");
const { Runnable } = require("mocha");

// CI says the same of the same commit each time; elsewhere property tests draw other examples in each run.
if (process.env.CI) fc.configureGlobal({ seed: 20260509 });

// A shared or slow machine must not fail a test that is right: in CI every test and hook has four times its time.
const factor = process.env.CI ? 4 : 1;
const { timeout } = Runnable.prototype;

Runnable.prototype.timeout = function (ms) {
  return arguments.length === 0 ? timeout.call(this) : timeout.call(this, Number(ms) * factor);
};
