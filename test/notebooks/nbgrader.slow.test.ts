import { pythonWith } from "../support/python.js";
import { names } from "./exercises.js";
import { students } from "./nbgrader/autograde.js";
import { describeGrading } from "./nbgrader/gradingTests.js";

// nbgrader takes seconds for each answer, so that each exercise is answered by one of the three students: a right, a wrong or an empty
// answer. All three to each exercise are checked in one kernel by exercises.test.ts and exercises.slow.test.ts, and by nbgrader in
// nbgrader.matrix.test.ts.
describe("nbgrader with an answer to each exercise", function () {
  this.slow(120_000);
  describeGrading(
    (context) => pythonWith(context, "graderTests"),
    (name) => [students[names.indexOf(name) % students.length]!],
  );
});
