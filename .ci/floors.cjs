"use strict";
// The rooms of lib/src and kernel/src from the ground up: a room imports only from the floors below its own.
// Read by .dependency-cruiser.cjs, which enforces it.

module.exports = {
  lib: [
    ["base"],
    ["schema"],
    ["tensor"],
    ["tree"],
    ["env"],
    ["batch"],
    ["policy"],
    ["rollout"],
    ["rule"],
    ["exact"],
    ["train"],
    ["sweep"],
    ["monitor"],
    ["plot"],
    ["study"],
    ["play", "exercise"],
  ],
  kernel: [
    ["protocol", "process"],
    ["display"],
    ["help"],
    ["client"],
    ["types"],
    ["widgets"],
    ["session"],
    ["front"],
    ["runner"],
    ["cli"],
  ],
};
