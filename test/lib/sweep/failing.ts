import { sweep, SweepError } from "turnwise";
import { join } from "node:path";

/** A sweep that fails, in a process of its own: `node failing.js EXPORT [FILE]`. Writes what failed, and what did not. */
async function main(): Promise<void> {
  const [name, file] = process.argv.slice(2);
  const task = { module: join(__dirname, "jobs.js"), export: name! };
  try {
    await sweep({ task, grid: {}, workers: 2, ...(file === undefined ? { seeds: 4 } : { seeds: 40, file }) });
  } catch (error) {
    const told =
      error instanceof SweepError
        ? { errors: error.errors.map((e) => `${e.key}: ${e.error.message}`), done: error.results.length }
        : { error: (error as Error).message };
    process.stdout.write(JSON.stringify(told));
  }
}

void main();
