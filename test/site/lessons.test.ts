import assert from "node:assert/strict";
import path from "node:path";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import {
  codeOf,
  ledgerRows,
  lesson,
  lessonsIn,
  playgroundCells,
  runCells,
  runInPage,
  timeless,
} from "./lessonRuns.js";
import { openLessonSite, type LessonSite } from "./sitePage.js";

// The appendices take minutes more, and so does what each cell shows: node build/test/site/lessons.js.

describe("the course in the built site", function () {
  this.timeout(patient(120_000));
  let site: LessonSite;
  let there: KernelClient;
  let here: KernelClient;
  before(async function () {
    site = await openLessonSite(this);
    const cwd = path.join(root, "notebooks", "exercises");
    [there, here] = await Promise.all([site.start({ cwd }), startKernel({ cwd })]);
  });
  after(async () => {
    await here?.shutdown();
    await site?.close();
  });

  /** Cells that give in the page what they give on Node. */
  async function same(cells: readonly string[]): Promise<unknown[][]> {
    const [inPage, onNode] = await Promise.all([runCells(there, cells), runCells(here, cells)]);
    for (const [i, shown] of onNode.entries()) assert.equal(timeless(inPage[i]), timeless(shown), cells[i]);
    return inPage;
  }

  for (const name of lessonsIn("")) {
    it(`${name}: runs unedited to its end, and decides row by row what Node has decided`, async function () {
      this.timeout(patient(200_000));
      const { notebook, failures } = await runInPage(name, patient(180_000), site.start);
      assert.deepEqual(failures, []);
      assert.ok(ledgerRows(notebook).length > 0);
      assert.deepEqual(ledgerRows(notebook), ledgerRows(lesson(name)));
    });
  }

  for (const name of lessonsIn("exercises")) {
    it(`${name}: its stub fails and its solution passes, in the words of Node`, async () => {
      const [failed] = (await same(codeOf(lesson(name)))).at(-1)!;
      assert.equal(failed, "error");
      for (const [status] of await same(codeOf(lesson(name.replace("exercises", "solutions")))))
        assert.equal(status, "ok");
    });
  }

  it("trains in a playground to its end, steered on the way, to the records of Node", async () => {
    const [status, problem, ...shown] = (await same(playgroundCells)).at(-1)!;
    assert.equal(status, "ok", String(problem));
    assert.match(JSON.stringify(shown), /"update\\+":60,/);
  });
});
