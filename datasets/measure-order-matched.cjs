// Measures datasets/measured/order-matched-rates.csv and order-matched.csv: first the tuning of the learning rates, then the study at
// the rates that it chose. Each world is a part; it goes on where it was stopped, from the results in build/measured. About six
// hours of processor time in all, two and a half of them for the tuning. Build first: npm run build
//   node datasets/measure-order-matched.cjs rates [world ...] [--workers N]
//   node datasets/measure-order-matched.cjs runs [world ...] [--workers N]
//   node datasets/measure-order-matched.cjs retuned [world ...] [--workers N]   # rates chosen a second time where the last turn first led
//   node datasets/measure-order-matched.cjs pilot       # a few runs on seeds of no study: how long each arm takes
// Worlds may be measured in several terminals at once, one each; a table holds the worlds that are finished.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const design = require("turnwise-course/internal/03-update-order-ablation/matched/design");
const { studyPlan, tuningPlan } = require("turnwise-course/internal/03-update-order-ablation/matched/plan");
const { tunedPoints } = require("turnwise-course/internal/03-update-order-ablation/matched/rates");
const second = require("turnwise-course/internal/03-update-order-ablation/matched/secondTuning");
const { matchedRun } = require("turnwise-course/internal/03-update-order-ablation/matched/run");
const {
  csvOf,
  matchedColumns,
  storedMatchedRuns,
  storedTuning,
  tuningColumns,
} = require("turnwise-course/internal/03-update-order-ablation/matched/stored");
const { main, readArguments } = require("./measureParts.cjs");

const worlds = design.matchedWorldNames;
const PILOT_SEED = 9900;

const measured = (name) => path.join(__dirname, "measured", `${name}.csv`);
const fileOf = (step, world) =>
  path.join(__dirname, "..", "build", "measured", `order-matched-${step}-${world}.jsonl`);

/** The values of a world's results; undefined unless all of them are there. */
function finished(step, world, plan) {
  const file = fileOf(step, world);
  if (!fs.existsSync(file)) return undefined;
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n").length - 1;
  if (lines < plan.grid.cell.length * plan.seeds.length) return undefined;
  return merge([file]).results.map(({ value }) => value);
}

async function measure(step, names, planOf, workers) {
  for (const world of names) {
    console.error(`${step}: ${world}`);
    await followInTerminal(sweep({ ...planOf(world), file: fileOf(step, world), workers }));
  }
}

/** Lines of a table, but those of worlds that are measured again. */
function otherWorlds(file, read, names) {
  return fs.existsSync(file)
    ? read(fs.readFileSync(file, "utf8")).filter(({ world }) => !names.includes(world))
    : [];
}

/** Replaces the lines of finished worlds and leaves those of others as they are. */
function write(name, columns, read, byWorld) {
  const done = Object.keys(byWorld).filter((world) => byWorld[world] !== undefined);
  const lines = [...otherWorlds(measured(name), read, done), ...done.flatMap((world) => byWorld[world])];
  const ordered = worlds.flatMap((world) => lines.filter((line) => line.world === world));
  if (ordered.length > 0) fs.writeFileSync(measured(name), csvOf(columns, ordered));
}

/** The mean results of each arm and rate, by world; undefined where a world is not finished. */
const pointsOf = (step, names, planOf) =>
  Object.fromEntries(
    names.map((world) => {
      const runs = finished(step, world, planOf(world));
      return [world, runs && tunedPoints(runs)];
    }),
  );

async function rates(names, workers) {
  await measure("rates", names, tuningPlan, workers);
  write("order-matched-rates", tuningColumns, storedTuning, pointsOf("rates", worlds, tuningPlan));
}

async function runs(names, workers) {
  const file = measured("order-matched-rates");
  const tuning = fs.existsSync(file) ? storedTuning(fs.readFileSync(file, "utf8")) : [];
  const tuned = worlds.filter((world) => tuning.some((point) => point.world === world));
  const untuned = names.find((world) => !tuned.includes(world));
  if (untuned !== undefined) {
    console.error(
      `Cannot run the study in ${untuned}: its rates must be tuned first, with "rates ${untuned}".`,
    );
    process.exitCode = 2;
    return;
  }
  await measure("runs", names, (world) => studyPlan(world, tuning), workers);
  const byWorld = Object.fromEntries(
    tuned.map((world) => [world, finished("runs", world, studyPlan(world, tuning))]),
  );
  write("order-matched", matchedColumns, storedMatchedRuns, byWorld);
}

/** Rates chosen once more on more seeds, and the runs that compare: order-retuned-rates.csv and order-retuned.csv. */
async function retuned(names, workers) {
  const own = second.retunedWorlds.filter((world) => names.includes(world));
  const tuning = storedTuning(fs.readFileSync(measured("order-matched-rates"), "utf8"));
  const choosing = (world) => second.secondTuningPlan(world, tuning);
  await measure("retuned-rates", own, choosing, workers);
  const points = pointsOf("retuned-rates", second.retunedWorlds, choosing);
  write("order-retuned-rates", tuningColumns, storedTuning, points);
  const comparing = (world) => second.retunedPlan(world, points[world]);
  await measure("retuned", own, comparing, workers);
  const tuned = second.retunedWorlds.filter((world) => points[world] !== undefined);
  const byWorld = Object.fromEntries(
    tuned.map((world) => [world, finished("retuned", world, comparing(world))]),
  );
  write("order-retuned", matchedColumns, storedMatchedRuns, byWorld);
}

/** One run of each tuned arm at a middle rate, with its seconds of processor time. */
async function pilot(names) {
  for (const world of names) {
    const rate = design.matchedRates(world)[3];
    let all = 0;
    for (const { name: arm } of design.tunedArms(world)) {
      const before = process.cpuUsage();
      const run = await matchedRun({ world, arm, rate, seed: PILOT_SEED });
      const { user, system } = process.cpuUsage(before);
      const seconds = (user + system) / 1e6;
      all += seconds;
      console.log(
        `${world}, ${arm}, rate ${rate}: success ${run.success.toFixed(3)}, samples ${run.samples}, ` +
          `steps ${run.optimizerSteps}, passes ${run.passes.toFixed(2)}, ${seconds.toFixed(2)} s`,
      );
    }
    console.log(`${world}: ${(all / design.tunedArms(world).length).toFixed(2)} s a run`);
  }
}

async function script() {
  const steps = { rates, runs, retuned, pilot };
  const { names, workers = 1 } = readArguments({
    what: "step or world",
    names: [...Object.keys(steps), ...worlds],
    options: ["workers"],
  });
  const step = Object.keys(steps).find((name) => names.includes(name));
  const asked = names.filter((name) => worlds.includes(name));
  if (step === undefined || names.length === worlds.length + Object.keys(steps).length) {
    console.error(`Cannot measure: the first word must be one of ${Object.keys(steps).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  await steps[step](asked.length === 0 ? worlds : asked, workers);
}

void main(script);
