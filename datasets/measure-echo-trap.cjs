// Measures datasets/measured/echo-trap.csv and echo-trap-alarms.csv again, part by part. Build first: npm run build
//   node datasets/measure-echo-trap.cjs [--part NAME] [--shard I/N] [--hours H]
// Every finished run is a line of build/echo-trap/runs*.jsonl, so an interrupted measurement goes on where it was;
//   node datasets/measure-echo-trap.cjs --collect
// writes the CSVs from these lines.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { echoTrapRun, watchRun } = require("../lib/dist");

const seeds = Array.from({ length: 20 }, (_, seed) => seed);
const folder = path.join(__dirname, "..", "build", "echo-trap");
const target = path.join(__dirname, "measured", "echo-trap.csv");
const alarmTarget = path.join(__dirname, "measured", "echo-trap-alarms.csv");

const adam = (learningRate) => ({ optimiser: { kind: "adam", learningRate } });
const sgd = (learningRate) => ({ optimiser: { kind: "sgd", learningRate } });
const grid = (traps, levers, changes = [undefined], of = seeds) =>
  traps.flatMap((trap) =>
    levers.flatMap((lever) => changes.flatMap((change) => of.map((seed) => ({ trap, lever, seed, change })))),
  );
const levers = {
  cost: [
    ...[
      "no std",
      "batch std",
      "KL to reference .1",
      "KL to reference .2",
      "SeeUPO, same reuse, no std",
      "PPO (critic)",
    ],
    ...["SO-GRPO, KL", "filter 50 %", "1 step per batch"],
  ],
  mismatch: [
    ...[
      "dual clip 3",
      "gradient clip",
      "turn ratio geometric",
      "turn ratio arithmetic",
      "GSPO",
      "SO-GRPO, KL",
    ],
    ...["SeeUPO, same reuse"],
  ],
  reuse: [
    ...["1 step per batch", "SGD", "KL to reference .1", "SO-GRPO, KL", "turn ratio geometric"],
    ...["SeeUPO, 1 step per turn"],
  ],
};
const moreLevers = {
  cost: [
    ...[
      "SeeUPO, 1 step per turn",
      "SeeUPO, same reuse",
      "turn ratio geometric",
      "GSPO",
      "SO-PPO, KL",
      "filter 25 %",
    ],
    ...["entropy bonus .05", "SO-GRPO, gradient", "clip penalty, KL", "SO-PPO, gradient", "clip-higher .28"],
  ],
  mismatch: [
    ...[
      "PPO (critic)",
      "SO-PPO, KL",
      "filter 50 %",
      "KL to reference .1",
      "SO-GRPO, gradient",
      "turn ratio product",
    ],
    ...["clip penalty, KL", "1 step per batch", "batch std", "no std"],
  ],
  reuse: [
    ...[
      "Adam beta2 .95",
      "GSPO",
      "PPO (critic)",
      "filter 50 %",
      "SO-PPO, KL",
      "gradient clip",
      "SO-GRPO, gradient",
    ],
    ...["clip penalty, KL", "batch std", "SeeUPO, same reuse", "no std", "entropy bonus .01", "dual clip 3"],
    ...["clip-higher .28", "turn ratio arithmetic"],
  ],
};

/** The parts in the order in which they are measured. Every cell has 20 seeds; alarms are calibrated on 20 others. */
const parts = {
  first: [
    ...grid(["reuse"], ["vanilla", "1 step per batch"]),
    ...grid(["mismatch"], ["gradient clip", "turn ratio geometric", "turn ratio arithmetic", "dual clip 3"]),
    ...grid(
      ["reuse"],
      [
        "SeeUPO, 1 step per turn",
        "KL to reference .1",
        "SO-GRPO, KL",
        "KL to reference .1, k2",
        "SO-GRPO, KL by k2",
      ],
    ),
    ...grid(["mismatch"], ["SO-GRPO, KL by k2"]),
    ...grid(["cost"], ["filter 50 %"]),
  ],
  traps: grid(["sane", "cost", "mismatch", "reuse"], ["vanilla"]),
  cost: grid(["cost"], levers.cost),
  mismatch: grid(["mismatch"], levers.mismatch),
  reuse: grid(["reuse"], levers.reuse),
  noise: grid(["mismatch"], ["vanilla", "gradient clip", "turn ratio geometric"], [{ logProbNoise: 0.2 }]),
  alarms: grid(
    ["sane", "mismatch", "reuse"],
    ["vanilla"],
    undefined,
    seeds.map((seed) => seed + 20),
  ),
  phase: grid(
    ["reuse"],
    ["vanilla"],
    [0.1, 0.3].flatMap((rate) =>
      [
        [1, 1],
        [2, 2],
        [4, 4],
        [6, 4],
      ]
        .map(([epochs, minibatches]) => ({ ...adam(rate), epochs, minibatches }))
        // Two corners are cells of the matrix: vanilla, and one step per batch.
        .filter(({ epochs }) => rate !== 0.3 || epochs === 2 || epochs === 4),
    ),
  ),
  rates: grid(
    ["sane"],
    [
      ...[
        "vanilla",
        "LOOP, token",
        "LOOP, turn",
        "LOOP, trajectory",
        "KL to reference .1",
        "turn ratio geometric",
      ],
      ...["SO-GRPO, KL", "1 step per batch"],
    ],
    [adam(0.1), sgd(8)],
  ),
  cost2: grid(["cost"], moreLevers.cost),
  mismatch2: grid(["mismatch"], moreLevers.mismatch),
  reuse2: grid(["reuse"], moreLevers.reuse),
  filter: grid(["noisyReward"], ["vanilla", "filter 50 %", "filter 25 %"]),
};

const columns = (
  "part,trap,change,seed,final,peak,collapsed,stdCliff,entropyCliff,burst,silence,fall,maxGradNorm,turns,entropy," +
  "topShare,fracZeroStd,samples,optimizerSteps,lever"
).split(",");

/** Runs whose alarm times are kept. */
const watched = ({ trap, lever, change }) =>
  change === undefined &&
  ((lever === "vanilla" && trap !== "cost") || (lever === "1 step per batch" && trap === "reuse"));

function jobs() {
  const seen = new Set();
  return Object.entries(parts)
    .flatMap(([part, list]) => list.map((job) => ({ part, ...job })))
    .filter((job) => !seen.has(keyOf(job)) && seen.add(keyOf(job)));
}

/** A cell that two parts share is measured once. */
function keyOf(job) {
  const { trap, lever, seed, change } = job;
  return JSON.stringify([trap, lever, change ?? {}, seed, watched(job)]);
}

/** Finished runs by key; a run whose alarms are wanted but missing is measured again, yet its summary is good. */
function finished(alarmsToo = true) {
  const done = new Map();
  if (!fs.existsSync(folder)) return done;
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    for (const line of fs.readFileSync(path.join(folder, file), "utf8").split("\n")) {
      // A line that a kill cut short is no run.
      if (!line.endsWith("}")) continue;
      const { job, summary, watch } = JSON.parse(line);
      if (!alarmsToo || !watched(job) || watch) done.set(keyOf(job), { summary, watch });
    }
  }
  return done;
}

function cellOf(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
}

function changeOf(change) {
  if (!change) return "";
  const { optimiser, ...rest } = change;
  const flat = { ...(optimiser && { [optimiser.kind]: optimiser.learningRate }), ...rest };
  return Object.entries(flat)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

function collect() {
  const done = finished(false);
  const rows = [];
  const alarms = [];
  const cellKey = ({ trap, lever, change }) => JSON.stringify([trap, lever, change ?? {}]);
  // A cell that lacks a seed would be compared on fewer, so it is left out; the seeds for calibration count as one cell.
  const cellOfJob = (job) => (job.part === "alarms" ? "alarms" : cellKey(job));
  const open = new Set(
    jobs()
      .filter((job) => !done.has(keyOf(job)))
      .map(cellOfJob),
  );
  for (const job of jobs()) {
    const found = done.get(keyOf(job));
    if (!found || open.has(cellOfJob(job))) continue;
    const row = { ...job, ...found.summary, change: changeOf(job.change), lever: `"${job.lever}"` };
    if (job.part !== "alarms") rows.push(columns.map((name) => cellOf(row[name])).join(","));
    const { fall, times = [] } = found.watch ?? {};
    for (const { rule, at } of times) {
      alarms.push([job.trap, job.seed, cellOf(fall), rule, ...at.map(cellOf), row.lever].join(","));
    }
  }
  fs.writeFileSync(target, [columns.join(","), ...rows].join("\n") + "\n");
  const rungs = [0, 1, 2, 3, 4, 5].map((rung) => `rung${rung}`).join(",");
  fs.writeFileSync(alarmTarget, [`trap,seed,fall,rule,${rungs},lever`, ...alarms].join("\n") + "\n");
  console.log(`${rows.length} of ${jobs().length} runs in ${path.relative(process.cwd(), target)}`);
}

async function main() {
  const argument = (name) => {
    const at = process.argv.indexOf(name);
    return at < 0 ? undefined : process.argv[at + 1];
  };
  if (process.argv.includes("--collect")) return collect();
  const [shard, shards] = (argument("--shard") ?? "0/1").split("/").map(Number);
  const only = argument("--part")?.split(",");
  const deadline = Date.now() + Number(argument("--hours") ?? Infinity) * 3600e3;
  fs.mkdirSync(folder, { recursive: true });
  const done = finished();
  const open = jobs().filter(
    (job, i) => i % shards === shard && !done.has(keyOf(job)) && (only?.includes(job.part) ?? true),
  );
  if (process.argv.includes("--left")) return console.log(open.length);
  const file = path.join(folder, `runs-${shard}-of-${shards}.jsonl`);
  // After a kill the file may end in half a line.
  if (fs.existsSync(file) && !fs.readFileSync(file, "utf8").endsWith("\n")) fs.appendFileSync(file, "\n");
  const started = Date.now();
  for (const [i, job] of open.entries()) {
    if (Date.now() > deadline) break;
    const records = [];
    let summary;
    try {
      summary = await echoTrapRun(job, (metrics, update) => records.push({ update, metrics }));
    } catch (error) {
      // Training that stops on a loss that is not finite gives no final value: its cell stays open, and is left out.
      console.error(`${JSON.stringify(job)}: ${error.message}`);
      continue;
    }
    const watch = watched(job) ? watchRun(records) : undefined;
    fs.appendFileSync(file, JSON.stringify({ job, summary, watch }) + "\n");
    if (job.seed === 19)
      console.log(
        `${job.part}, ${job.trap}, ${job.lever} ${changeOf(job.change)}: ${i + 1} of ${open.length} after ${Math.round((Date.now() - started) / 1000)} s`,
      );
  }
}

void main();
