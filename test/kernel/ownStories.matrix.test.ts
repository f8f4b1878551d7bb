import { linesOf, moreStories } from "./stories.js";
import { tell } from "./tellStory.js";
import { sharedKernel, temporaryFolder } from "./with-kernel.js";

describe("a researcher with an idea", function () {
  this.timeout(120_000);
  this.slow(20_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  for (const story of moreStories) {
    it(`${story.title}: ${String(linesOf(story))} lines`, async () => {
      await tell(kernel(), story);
    });
  }
});
