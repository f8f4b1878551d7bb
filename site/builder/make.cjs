"use strict";
const path = require("path");
const { buildSite } = require("./build.cjs");
const { listed } = require("./packages.cjs");
const { provideLite } = require("./python.cjs");

/** Builds the site of a checkout into its build/site, unless the one there was made of the same things; returns the folder. `packages` of npm are there beside those of site/packages.json, and `withSolutions` adds what is for teachers. */
async function makeSite(root, { packages = [], withSolutions = false } = {}) {
  const out = path.join(root, "build", "site");
  const { python, data } = await provideLite(root);
  const all = [...new Set([...listed(root), ...packages])];
  await buildSite({ root, out, python, data, packages: all, withSolutions });
  return out;
}

module.exports = { makeSite: makeSite };
