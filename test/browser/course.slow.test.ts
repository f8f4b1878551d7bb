import { expectLesson } from "./courseFigures.js";

/** `browser/startHere` looks at the figures of 00 after it has run, and `course.matrix` at those of all. */
const name = "04-echo-trap.ipynb";

describe("stored figures of the course in JupyterLab", function () {
  this.timeout(240_000);

  it(`${name}: opens with its stored figures in both themes`, async function () {
    await expectLesson(this, name);
  });
});
