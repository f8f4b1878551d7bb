import { expectLesson } from "./courseFigures.js";

/** Those with the most figures; `browser/startHere` looks at 00 after it has run, and `course.matrix` at all. */
const sample = ["04-echo-trap.ipynb", "09-search-and-world-models.ipynb"];

describe("stored figures of the course in JupyterLab", function () {
  this.timeout(240_000);

  for (const name of sample)
    it(`${name}: opens with its stored figures in both themes`, async function () {
      await expectLesson(this, name);
    });
});
