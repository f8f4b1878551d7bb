// How often each alarm is up in public logs of runs that did not fall: datasets/measured/public-logs.jsonl.
//
// The logs are other people's and are not here, but for three in datasets/logs/public. Given a folder with clones as OWNER/NAME, or files
// as OWNER/NAME/PATH, those that are found are read again; of the others the stored row stays:
//   node datasets/measure-public-logs.cjs [folder]
// `npm run generated` writes lib/practice/src/report/healthyLogs.ts from the table.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const table = path.join(__dirname, "measured", "public-logs.jsonl");
/** Logs that are stored here. */
const stored = {
  "training_logs.json": "trl-chaos-economy.json",
  "tinker_cookbook/recipes/cog_rl/results/experiment_3/training_metrics.jsonl": "tinker-cog-3.jsonl",
  "tinker_cookbook/recipes/cog_rl/results/experiment_6/training_metrics.jsonl": "tinker-cog-6.jsonl",
};

async function main(folder) {
  if (folder !== undefined && !fs.existsSync(folder)) {
    console.error(`Cannot measure: the folder of clones must exist, got ${folder}.`);
    process.exitCode = 2;
    return;
  }
  const { doctor } = await import("turnwise-practice");
  const rows = fs
    .readFileSync(table, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const row of rows) {
    const own = stored[row.path] && path.join(__dirname, "logs", "public", stored[row.path]);
    const file = own ?? (folder && path.join(folder, row.repository, row.path));
    if (!file || !fs.existsSync(file)) {
      console.log(`kept    ${row.repository}: ${row.path}`);
      continue;
    }
    const report = await doctor(file);
    const run = report.parts.view.run;
    Object.assign(row, {
      trainer: run.log.framework,
      steps: run.records.length,
      verdict: run.verdict.success.kind,
      alarms: [...new Set(run.verdict.alarms.map(({ rule }) => rule))].sort(),
      blind: [...run.verdict.blind].sort(),
      headline: report.causes.find(({ title }) => report.headline.includes(title))?.name ?? "",
    });
    console.log(
      `read    ${row.repository}: ${row.path}: ${row.verdict}, ${row.alarms.join("; ") || "no alarm"}`,
    );
  }
  fs.writeFileSync(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

main(process.argv[2]).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
