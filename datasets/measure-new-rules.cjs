// Measures datasets/measured/new-rules-rates.csv and new-rules.csv: the tuning of the learning rates, then the preregistered study of
// the newer rules' claims. Arms that both files hold are not measured again, except with --again: about 25 minutes of one core for
// all. Goes on where it was stopped, from the results in build/measured. Build first: npm run build
//   node datasets/measure-new-rules.cjs [world ...] [--again] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { ruleWorlds } = require("turnwise-course/internal/newRules/design");
const { armsIn } = require("turnwise-course/internal/newRules/questions");
const { ruleStudyPlan, ruleTuningPlan, tunedArms } = require("turnwise-course/internal/newRules/plan");
const { ruleColumns, ruleRateColumns } = require("turnwise-course/internal/newRules/run");
const { csvOf } = require("turnwise-course/internal/03-update-order-ablation/matched/stored");
const { main, readArguments, sweptValues } = require("./measureParts.cjs");

const all = Object.keys(ruleWorlds);
const tables = { "new-rules-rates": ruleRateColumns, "new-rules": ruleColumns };
const tableOf = (name) => path.join(__dirname, "measured", `${name}.csv`);

/** World and arm of a line of either table. */
const placeOf = (line) => /^("[^"]*"),("[^"]*")/.exec(line).slice(1).map(JSON.parse);

/** The stored lines of a table, by world. */
function stored(name) {
  const file = tableOf(name);
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").slice(1) : [];
  const byWorld = new Map();
  for (const line of lines) {
    const [world] = placeOf(line);
    byWorld.set(world, [...(byWorld.get(world) ?? []), line]);
  }
  return byWorld;
}

const results = (step, world, plan, workers) => sweptValues(`new-rules-${step}-${world}`, plan, workers);

async function script() {
  const {
    names,
    again = false,
    workers = 1,
  } = readArguments({ what: "world", names: all, options: ["workers", "again"] });
  const known = Object.fromEntries(Object.keys(tables).map((name) => [name, stored(name)]));
  const of = (name, world) => known[name].get(world) ?? [];
  const keep = (name, world, arms, runs) => {
    const others = of(name, world).filter((line) => !arms.includes(placeOf(line)[1]));
    known[name].set(world, [...others, ...csvOf(tables[name], runs).trim().split("\n").slice(1)]);
  };
  for (const world of names) {
    const lacks = (name, arm) => !of(name, world).some((line) => placeOf(line)[1] === arm);
    const arms = armsIn(world).filter((arm) => again || Object.keys(tables).some((name) => lacks(name, arm)));
    if (arms.length === 0) continue;
    const tuned = tunedArms(await results("rates", world, ruleTuningPlan(world, arms), workers));
    keep("new-rules-rates", world, arms, tuned);
    keep("new-rules", world, arms, await results("runs", world, ruleStudyPlan(world, tuned, arms), workers));
    for (const [name, columns] of Object.entries(tables)) {
      const lines = all.flatMap((one) => of(name, one));
      fs.writeFileSync(tableOf(name), [columns.join(","), ...lines, ""].join("\n"));
    }
  }
}

void main(script);
