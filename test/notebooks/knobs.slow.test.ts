import assert from "node:assert/strict";
import { patient } from "../support/patient.js";
import { budgetMs, folder } from "./committedNotebooks.js";
import { itRunsSmall } from "./knobs.js";
import { sharedKernel } from "./sharedKernel.js";

describe("the knobs of the lessons", function () {
  this.timeout(patient(budgetMs) + 60_000);
  this.slow(60_000);
  const kernel = sharedKernel({ cwd: folder });

  // The first lesson runs in knobs.test.ts, the others in knobs.matrix.test.ts; committed.slow.test.ts runs most with their own values.
  itRunsSmall("01-grpo-from-scratch.ipynb", kernel, ({ cells }) => {
    const same = cells.find(({ id }) => id === "same")!;
    const text = (same.outputs ?? []).map((output) => ("text" in output ? output.text : "")).join("\n");
    assert.match(text, /largest difference of 7 returns: 0\n/, "GRPO by hand repeats train()");
  });
  itRunsSmall("07-reward-signal.ipynb", kernel);
});
