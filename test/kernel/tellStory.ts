import assert from "node:assert/strict";
import type { KernelClient } from "turnwise-kernel";
import { formatted } from "../support/formatted.js";
import { play, type Played } from "./playStory.js";
import { linesOf, losses, type Story } from "./stories.js";

/** Replaces the session of a kernel by its spare one, so that no name of an earlier cell is known, to run time or types. */
export async function beginAnew(kernel: KernelClient): Promise<void> {
  const { error } = await kernel.execute("process.exit(0)");
  assert.equal(error?.ename, "SessionEnded");
}

/** Plays a story in a session of its own, as in a notebook of its own, and checks its form and what it shows. */
export async function tell(kernel: KernelClient, story: Story): Promise<Played> {
  await beginAnew(kernel);
  assert.ok(linesOf(story) <= 15, `${String(linesOf(story))} lines`);
  for (const cell of story.cells) assert.equal(cell, await formatted(cell));
  const played = await play(kernel, story);
  const { result } = played;
  assert.match(result, story.shows);
  // -Infinity would be the largest gap of no numbers at all.
  if (Object.values(losses).includes(story)) assert.ok(Number(result) >= 0 && Number(result) <= 1e-6, result);
  return played;
}
