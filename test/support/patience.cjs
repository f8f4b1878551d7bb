"use strict";

const { Runnable } = require("mocha");

// A shared or slow machine must not fail a test that is right: in CI every test and hook has four times its time.
const factor = process.env.CI ? 4 : 1;
const { timeout } = Runnable.prototype;

Runnable.prototype.timeout = function (ms) {
  return arguments.length === 0 ? timeout.call(this) : timeout.call(this, Number(ms) * factor);
};
