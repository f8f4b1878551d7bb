// Measures what the pages of the rules show: datasets/measured/rule-curves.csv, the learning curve of every rule on LookUp-v0 for the
// five seeds of `explain`, and rule-board.csv, what every rule reaches in the three worlds of the board, twenty seeds each. All seeds
// are stored. Rules that the files already hold are not measured again, except with --again: half a minute of one core for a rule,
// half an hour for all. Goes on where it was stopped, from build/measured. Build first: npm run build
//   node datasets/measure-rules.cjs [rule-curves] [rule-board] [--again] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, recipeNames, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const { boardBudget, boardWorlds, curveBudget } = require("turnwise-course/internal/worlds/ruleRuns");
const { main, readArguments } = require("./measureParts.cjs");

const round = (x) => Number(x.toFixed(4));
const updates = Array.from(
  { length: curveBudget.updates / curveBudget.every },
  (_, i) => (i + 1) * curveBudget.every,
);

const tables = {
  "rule-curves": {
    job: "curveJob",
    grid: {},
    seeds: [...curveBudget.seeds],
    head: ["rule", "seed", ...updates],
    line: (rule, { seed, value }) => [rule, seed, ...value.returns.map(round)],
  },
  "rule-board": {
    job: "boardJob",
    grid: { world: boardWorlds.map(({ id }) => id) },
    seeds: [...boardBudget.seeds],
    head: ["rule", "world", "seed", "reached"],
    line: (rule, { cell, seed, value }) => [rule, cell.world, seed, round(value.reached)],
  },
};

/** The stored lines of each rule. */
function stored(file) {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").slice(1) : [];
  const byRule = new Map();
  for (const line of lines) {
    const rule = line.slice(0, line.indexOf(","));
    byRule.set(rule, [...(byRule.get(rule) ?? []), line]);
  }
  return byRule;
}

async function measure(name, { again = false, workers = 2 }) {
  const { job, grid, seeds, head, line } = tables[name];
  const file = path.join(__dirname, "measured", `${name}.csv`);
  const known = stored(file);
  const count = seeds.length * (grid.world?.length ?? 1);
  const rule = recipeNames.filter((one) => again || known.get(one)?.length !== count);
  if (rule.length === 0) return;
  console.error(name);
  const part = rule.length === recipeNames.length ? name : `${name}-${rule.join("-").slice(0, 120)}`;
  const results = path.join(__dirname, "..", "build", "measured", `${part}.jsonl`);
  const task = { module: "turnwise-course/jobs", export: job };
  await followInTerminal(sweep({ task, grid: { rule, ...grid }, seeds, file: results, workers }));
  for (const one of rule) known.set(one, []);
  for (const result of merge([results]).results) {
    // A grid of one rule leaves it out of its cells.
    const one = result.cell.rule ?? rule[0];
    known.get(one).push(line(one, result).join(","));
  }
  const lines = recipeNames.flatMap((one) => known.get(one) ?? []);
  fs.writeFileSync(file, [head.join(","), ...lines, ""].join("\n"));
}

async function script() {
  const { names, ...options } = readArguments({
    what: "table",
    names: Object.keys(tables),
    options: ["workers", "again"],
  });
  for (const name of names) await measure(name, options);
}

void main(script);
