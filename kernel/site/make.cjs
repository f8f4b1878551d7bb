"use strict";
const path = require("path");
const { buildSite } = require("./build.cjs");
const { provideLite } = require("./python.cjs");

/** Builds the site of a checkout into its build/site, unless the one there was made of the same things; returns the folder. */
async function makeSite(root) {
  const out = path.join(root, "build", "site");
  const { python, data } = await provideLite(root);
  await buildSite({ root, out, python, data });
  return out;
}

module.exports = { makeSite: makeSite };
