import { expectLesson, lessons } from "./courseFigures.js";

/** Those that run here, too: the first, a collapse, a search, custom files. `notebooks/committed` and `site/lessons` run all. */
const running = lessons.filter((name) => /^(00|04|09|11)-/.test(name));

describe("the course in JupyterLab", function () {
  this.timeout(420_000);
  this.slow(120_000);

  for (const name of lessons)
    if (running.includes(name))
      it(`${name}: Restart Kernel and Run All Cells ends clean, its figures stand in both themes`, async function () {
        await expectLesson(this, name, (notebook) => notebook.restartAndRunAll(400_000));
      });
    else
      it(`${name}: opens with its stored figures in both themes`, async function () {
        await expectLesson(this, name);
      });
});
