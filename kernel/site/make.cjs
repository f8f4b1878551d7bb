"use strict";
const path = require("path");
const { buildSite } = require("./build.cjs");
const { listed } = require("./packages.cjs");
const { provideLite } = require("./python.cjs");

/** Builds the site of a checkout into its build/site, unless the one there was made of the same things; returns the folder. `packages` of npm are there beside those of site/packages.json. */
async function makeSite(root, { packages = [] } = {}) {
  const out = path.join(root, "build", "site");
  const { python, data } = await provideLite(root);
  await buildSite({ root, out, python, data, packages: [...new Set([...listed(root), ...packages])] });
  return out;
}

module.exports = { makeSite: makeSite };
