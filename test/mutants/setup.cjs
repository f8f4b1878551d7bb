"use strict";

const { Runnable } = require("mocha");

// Property tests must draw the same examples for every mutant, or a score could not be measured twice.
require("fast-check").configureGlobal({ seed: 20260509 });

// Instrumented code is slow, and Stryker itself ends what takes too long.
const { timeout } = Runnable.prototype;
Runnable.prototype.timeout = function (...ms) {
  return ms.length === 0 ? timeout.call(this) : timeout.call(this, 0);
};
