"use strict";
const { least, placesOf } = require("../places.cjs");

/** A reader does something in each lesson: writes a line that is checked, or turns a knob and sees what it does. */
function look(notebook) {
  const { written, knobs } = placesOf(notebook);
  if (written + knobs >= least) return [];
  return [
    [
      "the notebook",
      `has ${String(written)} lines to write and ${String(knobs)} knobs, fewer than ${String(least)} together; ` +
        'let the reader write one with yours("..."), or name a number, "let size = 8; // Try 2 or 64."',
    ],
  ];
}

module.exports = { kinds: ["lesson"], look };
