/**
 * How long a researcher waits who tries an idea: `node build/test/bench/stories.js`, after `npm run build`.
 *
 * Each story of test/kernel/stories.ts is played through a kernel of its own, as in a new notebook; the time is that of its
 * cells, first imports included and the start of the kernel left out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startKernel } from "turnwise-kernel";
import { play } from "../kernel/playStory.js";
import { linesOf, stories, type Story } from "../kernel/stories.js";
import { median } from "./peers/statistics.js";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });

async function seconds(story: Story): Promise<number> {
  const folder = mkdtempSync(join(os.tmpdir(), "turnwise-bench-"));
  try {
    const kernel = await startKernel({ cwd: folder });
    try {
      const { result, seconds } = await play(kernel, story);
      if (!story.shows.test(result)) throw new Error(`"${story.title}" has shown ${result}`);
      return seconds;
    } finally {
      await kernel.shutdown();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const times = new Map<Story, number[]>(stories.map((story) => [story, []]));
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [story, taken] of times) taken.push(await seconds(story));
  console.log("| story | lines | seconds |\n| --- | --- | --- |");
  for (const [story, taken] of times)
    console.log(`| ${story.title} | ${String(linesOf(story))} | ${median(taken).toFixed(1)} |`);
  console.log(
    `\nMedians of ${values.rounds}; Node ${process.versions.node}, ${String(os.cpus().length)} cores, load ${os.loadavg()[0]!.toFixed(1)}`,
  );
}

void main();
