import { launchBrowser } from "../support/browser.js";
import { launchFirefox } from "../support/firefoxBrowser.js";
import { patient } from "../support/patient.js";
import { courseInSite } from "./courseInSite.js";
import { lessonsIn } from "./lessonRuns.js";

// The appendices take minutes more, and so does what each cell shows: node build/test/site/lessons.js.

for (const [browser, launch] of Object.entries({ Chromium: launchBrowser, Firefox: launchFirefox }))
  describe(`the course in the built site in ${browser}`, function () {
    this.timeout(patient(120_000));
    const course = courseInSite(launch);

    for (const name of lessonsIn("")) {
      it(`${name}: runs unedited to its end, and decides row by row what Node has decided`, async function () {
        this.timeout(patient(200_000));
        await course.expectLesson(name);
      });
    }

    for (const name of lessonsIn("exercises")) {
      it(`${name}: its stub fails and its solution passes, in the words of Node`, async () => {
        await course.expectExercise(name);
      });
    }
  });
