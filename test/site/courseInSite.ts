import assert from "node:assert/strict";
import path from "node:path";
import type { Browser } from "playwright-core";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { launchBrowser } from "../support/browser.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { codeOf, ledgerRows, lesson, runCells, runInPage, solution, timeless } from "./lessonRuns.js";
import { openLessonSite, type LessonSite } from "./sitePage.js";

/** The course in a browser, for the tests of a `describe`. */
export interface CourseInSite {
  /** A lesson runs to its end, and its ledgers are those that Node has stored in it. */
  expectLesson(name: string): Promise<void>;
  /** An exercise's stub fails and its solution passes, in the words of Node. */
  expectExercise(name: string): Promise<void>;
  /** Cells give in the page what they give on Node, which is returned. */
  same(cells: readonly string[]): Promise<unknown[][]>;
}

export function courseInSite(
  launch: (context: Mocha.Context | undefined) => Promise<Browser> = launchBrowser,
): CourseInSite {
  let site: LessonSite | undefined;
  let kernels: readonly [page: KernelClient, node: KernelClient] | undefined;
  before(async function () {
    site = await openLessonSite(this, undefined, launch);
  });
  after(async () => {
    await kernels?.[1].shutdown();
    await site?.close();
  });
  const cwd = path.join(root, "notebooks", "exercises");

  async function same(cells: readonly string[]): Promise<unknown[][]> {
    kernels ??= await Promise.all([site!.start({ cwd }), startKernel({ cwd })]);
    const [inPage, onNode] = await Promise.all(kernels.map((kernel) => runCells(kernel, cells)));
    for (const [i, shown] of onNode!.entries()) assert.equal(timeless(inPage![i]), timeless(shown), cells[i]);
    return inPage!;
  }

  return {
    same,
    expectLesson: async (name) => {
      const { notebook, failures } = await runInPage(name, patient(180_000), site!.start);
      assert.deepEqual(failures, []);
      assert.ok(ledgerRows(notebook).length > 0);
      assert.deepEqual(ledgerRows(notebook), ledgerRows(lesson(name)));
    },
    expectExercise: async (name) => {
      const [failed] = (await same(codeOf(lesson(name)))).at(-1)!;
      assert.equal(failed, "error");
      for (const [status] of await same(codeOf(solution(path.basename(name))))) assert.equal(status, "ok");
    },
  };
}
