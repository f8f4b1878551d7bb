import assert from "node:assert/strict";
import { patient } from "../support/patient.js";
import { courseInSite } from "./courseInSite.js";
import { playgroundCells } from "./lessonRuns.js";

/** One that reads stored tables; lab.slow runs 00, which trains seeds on workers, and lessons.matrix all, in both browsers. */
const lessons = ["03-update-order-ablation"];
const exercises = ["exercises/00-one-knob", "exercises/01-leave-one-out"];

describe("lessons in the built site", function () {
  this.timeout(patient(120_000));
  const course = courseInSite();

  for (const name of lessons) {
    it(`${name}: runs unedited to its end, and decides row by row what Node has decided`, async function () {
      this.timeout(patient(200_000));
      await course.expectLesson(name);
    });
  }

  for (const name of exercises) {
    it(`${name}: its stub fails and its solution passes, in the words of Node`, async () => {
      await course.expectExercise(name);
    });
  }

  it("trains in a playground to its end, steered on the way, to the records of Node", async () => {
    const [status, problem, ...shown] = (await course.same(playgroundCells)).at(-1)!;
    assert.equal(status, "ok", String(problem));
    assert.match(JSON.stringify(shown), /"update\\+":60,/);
  });
});
