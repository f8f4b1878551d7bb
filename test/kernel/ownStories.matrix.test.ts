import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { linesOf, moreStories, twenty } from "./stories.js";
import { tell } from "./tellStory.js";
import { sharedKernel, temporaryFolder } from "./with-kernel.js";

describe("a researcher with an idea", function () {
  this.timeout(120_000);
  this.slow(20_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  for (const story of moreStories) {
    it(`${story.title}: ${String(linesOf(story))} lines`, async () => {
      const { streams } = await tell(kernel(), story);
      if (story === twenty) savedAndResumed(streams);
    });
  }

  function savedAndResumed(streams: string): void {
    const [, done] =
      /Interrupted: (\d+) of 20 seeds are finished and kept/.exec(streams) ?? assert.fail(streams);
    assert.ok(Number(done) >= 1 && Number(done) < 20, done);
    const csv = readFileSync(join(folder(), "winners.csv"), "utf8").trim().split("\n");
    assert.equal(csv.length, 1 + 20 * 150);
    const seed = csv[0]!.split(",").indexOf("seed");
    assert.equal(new Set(csv.slice(1).map((line) => line.split(",")[seed])).size, 20);
    const svg = readFileSync(join(folder(), "winners.svg"), "utf8");
    assert.match(svg, /^<svg[^]*band: 95 % bootstrap interval/);
    assert.match(svg, /<path[^>]* (fill-)?opacity="0\.2"/);
  }
});
