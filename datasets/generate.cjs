// The tasks of datasets/tasks from the generators of the environments. To renew them: npm run generated
"use strict";

const env = require("turnwise/internal/env/index");

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
