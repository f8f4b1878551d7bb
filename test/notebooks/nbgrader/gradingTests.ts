import assert from "node:assert/strict";
import { temporaryFolder } from "../../kernel/with-kernel.js";
import { patient } from "../../support/patient.js";
import { names, stubOf, toldWrong } from "../exercises.js";
import { Course, students, type Grade, type Student } from "./autograde.js";

/** Declares the tests of a course in which these students hand in an answer to each exercise; `findPython` finds one with nbgrader. */
export function describeGrading(
  findPython: (context: Mocha.Context) => Promise<string>,
  handedIn: (name: string) => readonly Student[],
): () => readonly Grade[] {
  const folder = temporaryFolder();
  let course: Course;
  let grades: readonly Grade[] = [];

  before(async function () {
    this.timeout(patient(600_000));
    course = new Course(folder(), await findPython(this));
    await course.generate();
    for (const name of names) for (const student of handedIn(name)) course.submit(student, name);
    grades = await course.grade();
  });

  const of = (student: Student): readonly Grade[] => grades.filter((one) => one.student === student);
  const gradedAs = (
    student: Student,
    told: (grade: Grade) => unknown,
    expected: (name: string) => unknown,
  ): void => {
    const handing = names.filter((name) => handedIn(name).includes(student));
    assert.ok(handing.length > 0);
    assert.deepEqual(
      of(student).map((grade) => [grade.name, grade.points, told(grade)]),
      handing.map((name) => [name, student === "right" ? "1 of 1" : "0 of 1", expected(name)]),
    );
  };

  it("generates the stubs of notebooks/exercises from the solutions", () => {
    for (const name of names) {
      const cells = (notebook: ReturnType<typeof stubOf>): unknown =>
        notebook.cells.map(({ id, source }) => [id, source]);
      assert.deepEqual(cells(course.released(name)), cells(stubOf(name)), name);
    }
  });

  it("gives the point to every right answer", () =>
    gradedAs(
      "right",
      ({ said }) => / passed|passed \(/.test(said),
      () => true,
    ));

  it("gives a wrong answer no point, and one sentence that names the mistake", () =>
    gradedAs("wrong", ({ said }) => said, toldWrong));

  it("gives an empty answer no point", () =>
    gradedAs(
      "empty",
      ({ said }) => said.endsWith("no code yet"),
      () => true,
    ));

  it("grades each answer that is handed in once", () => {
    const count = names.reduce((sum, name) => sum + handedIn(name).length, 0);
    assert.equal(grades.length, count);
    assert.deepEqual([...new Set(grades.map(({ student }) => student))].sort(), [...students].sort());
  });

  return () => grades;
}
