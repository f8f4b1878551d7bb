// Writes datasets/tasks/*.jsonl from the generators of the environments, after a build:
//   npm run build && node datasets/generate.cjs
"use strict";

const { mkdirSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const env = require("turnwise/dist/env");

const SEED = 20260204;
const PER_LEVEL = 32;

const generators = {
  apiChain: env.apiChainTasks,
  calculator: env.calculatorTasks,
  codebreaker: env.codebreakerTasks,
  memoryDesk: env.memoryDeskTasks,
  searchQa: env.searchQaTasks,
};

/** The text of every file, by its name. Levels with fewer tasks than asked for give all that they have. */
function files() {
  return Object.fromEntries(
    Object.entries(generators).map(([name, tasks]) => [
      `${name}.jsonl`,
      env.toJsonl([1, 2, 3].flatMap((level) => tasks(level, PER_LEVEL, SEED))),
    ]),
  );
}

module.exports = { files };

if (require.main === module) {
  const folder = path.join(__dirname, "tasks");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files())) writeFileSync(path.join(folder, name), text);
}
