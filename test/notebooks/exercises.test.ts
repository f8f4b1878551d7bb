// Uses internals of turnwise-kernel/runner, turnwise-course.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { tagsOf } from "turnwise-kernel/dist/runner/notebook.js";
import { exerciseNames } from "turnwise-course";
import { exerciseNotebooks, nextAfter } from "turnwise-course/internal/shared/exercise/next";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import {
  cellOf,
  checkOf,
  describeRuns,
  exercisesFolder,
  names,
  solutionOf,
  solved,
  someExercises,
  stubOf,
  toldWrong,
} from "./exercises.js";
import { gradesIn, gradesTable, narrow } from "./nbgrader/table.js";

const readme = readFileSync(join(root, "lib", "course", "README.md"), "utf8");
/** The stub that the README's nbgrader_config.py puts where the solution was. */
const stub = /"typescript": '(.*)'/.exec(readme)![1]!.split("\\n");

/** What nbgrader's ClearSolutions makes of a cell with the configuration of the teachers' README. */
function cleared(source: string): string {
  let inside = false;
  return source
    .split("\n")
    .flatMap((line) => {
      if (line.includes("BEGIN SOLUTION")) {
        inside = true;
        return stub.map((text) => /^\s*/.exec(line)![0] + text);
      }
      if (line.includes("END SOLUTION")) {
        inside = false;
        return [];
      }
      return inside ? [] : [line];
    })
    .join("\n");
}

describe("the exercises", function () {
  this.timeout(240_000);

  it("are one for each check, and each has its solution", () => {
    assert.equal(names.length, exerciseNames.length);
    assert.deepEqual(solved, names);
    assert.deepEqual(names.map(checkOf).sort(), [...exerciseNames].sort());
  });

  it("are graded in the README's table as they are checked: right ones pass, wrong ones are told so, empty ones fail", () => {
    const points = { right: "1 of 1", wrong: "0 of 1", empty: "0 of 1" };
    const grades = names.map((name) => ({ name, ...points, told: toldWrong(name) }));
    assert.equal(narrow(gradesIn(readme)), narrow(gradesTable(grades)));
  });

  for (const name of names) {
    it(`${name}: the stub is what nbgrader makes of the solution, with the hints folded`, () => {
      const [given, solution] = [stubOf(name), solutionOf(name)];
      assert.deepEqual(
        given.cells.map(({ id, source }) => [id, source]),
        solution.cells.map(({ id, source }) => [id, cleared(source)]),
      );
      const hints = given.cells.filter((cell) => tagsOf(cell).includes("hint"));
      assert.ok(hints.length >= 2);
      // What stands in <details> shows only its summary until it is clicked: in JupyterLab, in pages and on code hosts.
      for (const { source } of hints)
        assert.match(source, /^<details><summary>Hint \d<\/summary>\n\n[^]+\n\n<\/details>$/);
      const grades = given.cells.map(({ metadata }) => metadata.nbgrader as Record<string, unknown>);
      assert.deepEqual(
        grades.map(({ solution: free, grade, locked }) => [free, grade, locked]),
        given.cells.map(({ id }) => [id === "answer", id === "check", id !== "answer"]),
      );
      assert.equal(new Set(grades.map(({ grade_id: id }) => id)).size, grades.length);
    });
  }

  describe("after an answer that was right", () => {
    const name = "01-group-advantage";
    let kernel: KernelClient;
    before(async () => {
      kernel = await startKernel({ cwd: exercisesFolder, startTimeoutMs: patient(30_000) });
    });
    after(() => kernel.shutdown());
    const answer = cellOf(solutionOf(name), "answer").source;
    const check = cellOf(solutionOf(name), "check").source;

    for (const [broken, source] of [
      ["a type error", `${answer}\nconst count: number = "three";`],
      ["a syntax error", answer.replace("return reward_n", "return (reward_n")],
      ["an error when it runs", `${answer}\nthrow new Error("half done");`],
      ["an error in what it calls", `const half = 1;\nnothing.there();`],
    ] as const) {
      it(`never pass the earlier answer of a cell that now has ${broken}`, async () => {
        const helped = broken === "an error in what it calls";
        await kernel.execute("const half = 0;");
        const right = helped ? answer.replace("return reward_n", "void half;\n  return reward_n") : answer;
        assert.equal((await kernel.execute(right)).status, "ok");
        assert.match(JSON.stringify((await kernel.execute(check)).outputs), /passed/);
        assert.equal((await kernel.execute(source)).status, "error");
        const graded = await kernel.execute(check);
        assert.equal(graded.status, "error", JSON.stringify(graded.outputs));
        assert.match(
          graded.error!.evalue,
          new RegExp(`^groupAdvantage: the cell that defines ${helped ? "half" : "groupAdvantage"} failed`),
        );
        if (helped) await kernel.execute("const half = 1;");
        assert.equal((await kernel.execute(right)).status, "ok");
        assert.equal((await kernel.execute(check)).status, "ok");
      });
    }
  });

  it("say what comes next, in the order of the course", () => {
    assert.deepEqual(
      exerciseNotebooks.map(([notebook, exercise]) => [notebook, exercise]),
      names.map((name) => [name, checkOf(name)]),
    );
    assert.equal(nextAfter("groupAdvantage"), "Next: exercise 01-leave-one-out.");
    assert.equal(nextAfter("leaveOneOut"), "Next: lesson 02, then exercise 02-expected-push.");
    assert.equal(nextAfter("unearnedSilence"), "That was the last exercise of the course.");
  });

  it("give hints whose code runs as it is written", async () => {
    const kernel = await startKernel({ cwd: exercisesFolder, startTimeoutMs: patient(30_000) });
    try {
      for (const name of names) {
        for (const { id, source } of stubOf(name).cells) {
          if (!id?.startsWith("hint")) continue;
          for (const [, code] of source.matchAll(/`([^`]+)`/g)) {
            const { status, error } = await kernel.execute(code!);
            assert.equal(status, "ok", `${name}, ${id}, ${code!}: ${String(error?.evalue)}`);
          }
        }
      }
    } finally {
      await kernel.shutdown();
    }
  });

  // The others run in exercises.slow.test.ts.
  describeRuns(someExercises);
});
