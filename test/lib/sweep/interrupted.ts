import { sweep } from "turnwise";
import { join } from "node:path";

/** A sweep that the test kills: `node interrupted.js FILE LOG HOLD`. Reports every result on stdout. */
async function main(): Promise<void> {
  const [file, log, hold] = process.argv.slice(2);
  for await (const { key } of sweep({
    task: { module: join(__dirname, "jobs.js"), export: "draw" },
    grid: { log: log!, hold: hold!, scale: [1, 2, 3] },
    seeds: 8,
    workers: 2,
    file: file!,
  })) {
    process.stdout.write(`${key}\n`);
  }
}

void main();
