import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { pythonWith } from "../support/python.js";
import { names } from "./exercises.js";
import { readme, students, type Grade, type Student } from "./nbgrader/autograde.js";
import { describeGrading } from "./nbgrader/gradingTests.js";
import { gradesIn, gradesTable, narrow, withGrades } from "./nbgrader/table.js";

describe("nbgrader with three answers to each exercise", function () {
  this.slow(300_000);
  const grades = describeGrading(
    (context) => pythonWith(context, "graderTests"),
    () => students,
  );

  it("grades as the table of the teachers' README says", async () => {
    const of = (student: Student, name: string): Grade =>
      grades().find((grade) => grade.student === student && grade.name === name)!;
    const table = gradesTable(
      names.map((name) => ({
        name,
        right: of("right", name).points,
        wrong: of("wrong", name).points,
        empty: of("empty", name).points,
        told: of("wrong", name).said,
      })),
    );
    const text = readFileSync(readme, "utf8");
    if (process.env.UPDATE_GRADES !== undefined) {
      const { format } = await import("prettier");
      writeFileSync(readme, await format(withGrades(text, table), { parser: "markdown", printWidth: 110 }));
      return;
    }
    const told = "run UPDATE_GRADES=1 npm run test:matrix -- test/notebooks/nbgrader.matrix.test.ts";
    assert.equal(narrow(gradesIn(text)), narrow(table), told);
  });
});
