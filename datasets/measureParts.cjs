// What the scripts share that measure a table: their command line, and the way from part to part.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const { didYouMean } = require("turnwise/internal/base/suggest");

const SEEDS = 20;

/** Six digits, as the tables hold them. */
const round = (x) => Number(x.toPrecision(6));

/** A mistake in the command line; `main` prints it without a stack. */
class ArgumentError extends Error {}

/**
 * The names of the tables to measure, all if the command line names none, and its options.
 *
 * @param what one of the names, such as "world"
 * @param options `workers` takes a number, all others are flags
 * @throws {ArgumentError} for a name or an option that is unknown, with the nearest right one
 */
function readArguments({ what, names = [], options = [] }, args = process.argv.slice(2)) {
  const wanted = [];
  const found = {};
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (!arg.startsWith("--")) wanted.push(known(arg, what, names));
    else if (
      known(
        arg,
        "option",
        options.map((name) => `--${name}`),
      ) === "--workers"
    ) {
      found.workers = workersOf(args[++i]);
    } else found[arg.slice(2)] = true;
  }
  return { names: wanted.length === 0 ? [...names] : wanted, ...found };
}

function known(arg, what, all) {
  if (all.includes(arg)) return arg;
  const wanted =
    all.length === 0 ? `there must be no ${what}` : `each ${what} must be one of ${all.join(", ")}`;
  throw new ArgumentError(`Cannot measure: ${wanted}, got ${arg}.${didYouMean(arg, all)}`);
}

function workersOf(text) {
  if (/^\d+$/.test(text ?? "")) return Number(text);
  throw new ArgumentError(
    `Cannot measure: --workers must be followed by an integer, got ${text ?? "nothing"}.`,
  );
}

/** Runs a script; what is wrong with its command line is one sentence and exit status 2. */
async function main(script) {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}

/** The values that a sweep has measured, in the order of its settings and seeds; goes on where it was stopped. */
async function sweptValues(name, plan, workers) {
  const file = path.join(__dirname, "..", "build", "measured", `${name}.jsonl`);
  console.error(name);
  await followInTerminal(sweep({ ...plan, file, workers }));
  return merge([file]).results.map(({ value }) => value);
}

async function measure(name, { task, grid, metric, head, lines, seeds = SEEDS }, workers) {
  const file = path.join(__dirname, "..", "build", "measured", `${name}.jsonl`);
  console.error(name);
  await followInTerminal(sweep({ task, grid, seeds, file, workers, ...(metric && { metric }) }));
  const rows = merge([file]).results.flatMap(lines);
  const text = [head, ...rows].map((cells) => cells.join(",")).join("\n");
  fs.writeFileSync(path.join(__dirname, "measured", `${name}.csv`), `${text}\n`);
}

/** Measures the parts that the command line names, or all; a part goes on where it was stopped. */
async function measureParts(parts) {
  await main(async () => {
    const { names, workers = 2 } = readArguments({
      what: "part",
      names: Object.keys(parts),
      options: ["workers"],
    });
    for (const name of names) await measure(name, parts[name], workers);
  });
}

module.exports = { main, measureParts, readArguments, round, sweptValues };
