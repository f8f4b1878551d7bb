import assert from "node:assert/strict";
import { patient } from "../support/patient.js";
import { budgetMs, folder } from "./committedNotebooks.js";
import { itRunsSmall, lessons, still } from "./knobs.js";
import { sharedKernel } from "./sharedKernel.js";

describe("the knobs of the lessons", function () {
  this.timeout(patient(budgetMs) + 60_000);
  this.slow(60_000);
  const kernel = sharedKernel({ cwd: folder });

  for (const name of lessons) {
    // The first lesson runs in knobs.test.ts.
    if (name in still || name === "00-start-here.ipynb") continue;
    if (name !== "01-grpo-from-scratch.ipynb") itRunsSmall(name, kernel);
    else
      itRunsSmall(name, kernel, ({ cells }) => {
        const same = cells.find(({ id }) => id === "same")!;
        const text = (same.outputs ?? []).map((output) => ("text" in output ? output.text : "")).join("\n");
        assert.match(text, /largest difference of 7 returns: 0\n/, "GRPO by hand repeats train()");
      });
  }
});
