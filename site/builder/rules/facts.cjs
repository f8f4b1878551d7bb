"use strict";
// All that the pages of the rules tell, from the library's own data: nothing is computed here that takes long.

const fs = require("fs");
const path = require("path");
const { claimsByRule } = require("./claims.cjs");
const { treeOf } = require("./tree.cjs");

/** The columns of the card, with the digits that they are told with. */
const figures = [
  ["bias", 2],
  ["expectedCosine", 3],
  ["cosine", 2],
  ["gain", 2],
  ["falls", 3],
];

const lines = (root, name) => {
  const file = path.join(root, "datasets", "measured", name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
};

/** Learning curves on LookUp-v0 by rule: the updates, and each seed's exact returns after them. */
function curvesOf(root) {
  const [head, ...rows] = lines(root, "rule-curves.csv").map((line) => line.split(","));
  const updates = (head ?? []).slice(2).map(Number);
  const runs = {};
  for (const [rule, , ...returns] of rows) (runs[rule] ??= []).push(returns.map(Number));
  const seeds = [...new Set(rows.map(([, seed]) => Number(seed)))];
  return { updates, seeds, runs };
}

/** Exact returns on the board by rule and world, in the order of the seeds. */
function boardOf(root) {
  const board = {};
  for (const line of lines(root, "rule-board.csv").slice(1)) {
    const [rule, world, , reached] = line.split(",");
    ((board[rule] ??= {})[world] ??= []).push(Number(reached));
  }
  return board;
}

/** The random and the optimal return of a world, exact. */
function referencesOf(root) {
  const rows = lines(root, "environment-references.csv").slice(1);
  return Object.fromEntries(
    rows.map((line) => {
      const [world, random, optimum] = line.split(",");
      return [world, { random: Number(random), optimum: Number(optimum) }];
    }),
  );
}

/** Year of the earliest paper of a source, or of what else it cites; undefined for code without one. */
function yearOf(source) {
  const [, arXiv] = /arXiv (\d\d)\d\d\.\d{5}/.exec(source) ?? [];
  if (arXiv !== undefined) return 2000 + Number(arXiv);
  const [, year] = /(?:\(|, |JMLR )((?:19|20)\d\d)\b/.exec(source) ?? [];
  return year === undefined ? undefined : Number(year);
}

/** Each figure of a rule's card in each world, at the card's center. */
function cardOf(centerOf, figureText, card, name) {
  return centerOf(card, name).map((record) => ({
    world: record.world,
    figures: figures.map(([figure, digits]) => figureText(record[figure], digits)),
  }));
}

/** By rule, the schedule of its steps: each option of `update` in which any two rules differ. */
function schedulesOf({ names, differences }) {
  const options = differences.filter(({ field }) => field.startsWith("update."));
  return Object.fromEntries(
    names.map((name, i) => [
      name,
      Object.fromEntries(options.map(({ field, values }) => [field, values[i]])),
    ]),
  );
}

/** A rule as a trainer's flags. */
function flagsOf({ toTrl, toVerl, toOpenRlhf }, recipe) {
  return [toVerl, toTrl, toOpenRlhf].map((write) => {
    const { framework, version, text, unsupported, notes } = write(recipe);
    return { framework, version, text, unsupported, notes };
  });
}

/** Everything about all rules. Packages must be built. */
function factsOf(root) {
  const { compareRecipes, recipeNames, recipes } = require("turnwise");
  const { citations, evidence } = require("turnwise/rule");
  const { recipeGroups } = require("turnwise/internal/rule/recipes");
  const { measuredUpdates } = require("turnwise/internal/rule/measuredUpdates");
  const { tableCells, tableColumns } = require("turnwise/internal/rule/table");
  const { updateLabel } = require("turnwise/internal/rule/card");
  const { storedCard } = require("turnwise/internal/card/stored");
  const { centerOf } = require("turnwise/internal/card/page");
  const { cardFigures, figureText } = require("turnwise/internal/card/figures");
  const practice = require("turnwise-practice");
  const { boardBudget, boardWorlds, curveBudget } = require("turnwise-course/internal/worlds/ruleRuns");

  const card = storedCard(fs.readFileSync(path.join(root, "datasets/measured/report-card.jsonl"), "utf8"));
  const checks = Object.fromEntries(
    lines(root, "rule-checks.jsonl").map((line) => {
      const { rule, findings } = JSON.parse(line);
      return [rule, findings];
    }),
  );
  const claims = claimsByRule(root, citations);
  const tree = treeOf(recipeNames, (a, b) => compareRecipes(recipes[a], recipes[b]).differences);
  const schedules = schedulesOf(compareRecipes(...recipeNames));
  const columns = [...tableColumns.slice(1), "update"];
  const rules = recipeNames.map((name) => {
    const citation = citations[name];
    return {
      ...citation,
      name,
      group: recipeGroups.find(({ names }) => names.includes(name)).title,
      year: yearOf(citation.source),
      papers: [...citation.source.matchAll(/arXiv (\d{4}\.\d{5})/g)].map(([, id]) => id),
      cells: [...tableCells(recipes[name]).slice(1), updateLabel(recipes[name])],
      fromGrpo: name === "grpo" ? [] : compareRecipes(recipes.grpo, recipes[name]).differences,
      schedule: schedules[name],
      checks: checks[name],
      card: cardOf(centerOf, figureText, card, name),
      measured: measuredUpdates[name],
      claims: claims[name],
      flags: flagsOf(practice, recipes[name]),
      ...tree[name],
    };
  });
  return {
    rules,
    columns,
    evidence,
    figures: figures.map(([figure]) => ({ name: figure, about: cardFigures[figure].about })),
    curves: { ...curvesOf(root), env: curveBudget.env },
    board: { runs: boardOf(root), worlds: boardWorlds, budget: boardBudget, references: referencesOf(root) },
  };
}

module.exports = { factsOf: factsOf, yearOf: yearOf };
