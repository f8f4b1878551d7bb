import assert from "node:assert/strict";
import { linesOf, losses, moreStories, quickStories, stories } from "./stories.js";
import { tell } from "./tellStory.js";
import { sharedKernel, temporaryFolder } from "./with-kernel.js";

describe("a researcher with an idea", function () {
  this.timeout(120_000);
  this.slow(20_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  for (const story of stories.filter((one) => ![...quickStories, ...moreStories].includes(one))) {
    it(`${story.title}: ${String(linesOf(story))} lines`, async () => {
      await tell(kernel(), story);
    });
  }

  it("would see a whole loss that differs from the paper's in one number", async () => {
    const { title, cells, shows } = losses.grpo;
    const other = { title, shows, cells: cells.map((cell) => cell.replace("0.8, 1.2", "0.9, 1.1")) };
    assert.ok(Number((await tell(kernel(), other)).result) > 1e-4);
  });
});
