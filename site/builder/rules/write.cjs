"use strict";
// Writes the map of the rules and a page for each rule.

const fs = require("fs");
const path = require("path");
const { bundle } = require("../bundles.cjs");
const { factsOf } = require("./facts.cjs");
const { indexPage } = require("./indexPage.cjs");
const { copyMath } = require("./math.cjs");
const { ruleCell, rulePage } = require("./rulePage.cjs");

/** Titles and curves of all rules, which a rule's page asks for when its reader compares it with another. */
const curvesOf = ({ rules, curves: { updates, runs } }) => ({
  updates,
  rules: rules
    .filter(({ name }) => runs[name] !== undefined)
    .map(({ name, title, schedule }) => ({ name, title, runs: runs[name], schedule })),
});

/** Everything that the board shows before its reader trains: the worlds, and the returns of every rule in them. */
function boardOf({ rules, board: { runs, worlds, budget, references } }) {
  const ids = worlds.map(({ id }) => id);
  return {
    ...budget,
    worlds: worlds.map((world) => ({ ...world, ...references[world.id] })),
    rules: rules
      .filter(({ name }) => ids.every((id) => runs[name]?.[id]?.length === budget.seeds.length))
      .map(({ name, title }) => ({ name, title, runs: ids.map((id) => runs[name][id]) })),
  };
}

/** Writes the data of the board, beside its page and its worker. */
function writeBoard(out, facts) {
  const folder = path.join(out, "board");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "board.json"), JSON.stringify(boardOf(facts)));
}

/** Writes the pages of all rules as one module for notebooks. */
async function writeCell(root, folder, { facts, stored, css }) {
  const cells = facts.rules.map((rule) => ({
    name: rule.name,
    title: rule.title,
    group: rule.group,
    html: ruleCell(rule, facts),
  }));
  await bundle({
    entry: path.join(root, "site", "src", "views", "rules", "notebook.ts"),
    outfile: path.join(folder, "widget.js"),
    format: "esm",
    define: { RULE_CELLS: JSON.stringify(cells), RULE_CURVES: JSON.stringify(stored), VIEW_CSS: css },
  });
}

/**
 * Writes the pages below `out`; `hasPlay` is whether the site has the playground, `css` the style sheets of a view in a notebook as a
 * text's JSON. Gives the size of each script in bytes.
 */
async function writeRules(root, out, { hasPlay, css, facts = factsOf(root) }) {
  const { curvePicture } = require("turnwise-site/internal/views/rules/curve");
  const { firstBeside } = require("turnwise-site/internal/views/rules/stored");
  const folder = path.join(out, "rules");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "index.html"), indexPage(facts));
  copyMath(root, path.join(folder, "katex"));
  const stored = curvesOf(facts);
  fs.writeFileSync(path.join(folder, "curves.json"), JSON.stringify(stored));
  for (const rule of facts.rules) {
    const curves = [rule.name, firstBeside(rule.name)].flatMap((name) =>
      stored.rules.filter((one) => one.name === name),
    );
    const drawn =
      stored.updates.length === 0
        ? ""
        : curvePicture(
            stored.updates,
            curves.map(({ title, runs }) => ({ name: title, runs })),
          );
    const of = path.join(folder, rule.name);
    fs.mkdirSync(of, { recursive: true });
    fs.writeFileSync(path.join(of, "index.html"), rulePage(rule, facts, { drawn, hasPlay }));
  }
  await writeCell(root, folder, { facts, stored, css });
  writeBoard(out, facts);
  const sizes = {};
  for (const name of ["rules", "rule"]) {
    const entry = path.join(
      root,
      "site",
      "src",
      "views",
      "rules",
      name === "rules" ? "page.ts" : "rulePage.ts",
    );
    sizes[name] = (await bundle({ entry, outfile: path.join(folder, `${name}.js`), format: "esm" })).bytes;
  }
  return sizes;
}

module.exports = { writeRules: writeRules };
