"use strict";

// @stryker-mutator/mocha-runner 9.6 asks for "mocha/lib/cli/run-helpers" and its neighbors, which mocha 12 calls
// run-helpers.cjs; with .cjs among the endings that `require` tries, it finds them.
require.extensions[".cjs"] ??= require.extensions[".js"];
