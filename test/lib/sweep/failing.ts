import { sweep, SweepError } from "turnwise";
import { join } from "node:path";

/** A sweep that fails, in a process of its own: `node failing.js EXPORT`. Writes what failed, and what did not. */
async function main(): Promise<void> {
  const task = { module: join(__dirname, "jobs.js"), export: process.argv[2]! };
  try {
    await sweep({ task, grid: {}, seeds: 4, workers: 2 });
  } catch (error) {
    const told =
      error instanceof SweepError
        ? { errors: error.errors.map((e) => `${e.key}: ${e.error.message}`), done: error.results.length }
        : { error: (error as Error).message };
    process.stdout.write(JSON.stringify(told));
  }
}

void main();
