// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tagsOf } from "turnwise-kernel/dist/runner/notebook.js";
import { exerciseNames } from "turnwise";
import { root } from "../support/paths.js";
import {
  checkOf,
  describeRuns,
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

  // The others run in exercises.slow.test.ts.
  describeRuns(someExercises);
});
