import { describeRuns, names, someExercises } from "./exercises.js";

describe("the exercises", function () {
  this.timeout(240_000);

  // The others run in exercises.test.ts.
  describeRuns(names.filter((name) => !someExercises.includes(name)));
});
