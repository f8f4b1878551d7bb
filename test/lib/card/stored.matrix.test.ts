import { recipeNames } from "turnwise";
import { holdsAgain } from "./storedLines.js";

describe("datasets/measured/report-card.jsonl, every recipe", function () {
  this.timeout(300_000);

  // One that is enumerated on each world that has one, and one that is sampled, with noise on its log-probs.
  for (const wanted of ["recovery 1 2 0 0", "recovery 1 8 4 0", "stopOrGo 1 2 0 0", "recovery 1 8 0 0.3"]) {
    it(`holds what is computed again at ${wanted} (groups, group size, staleness, mismatch)`, () => {
      holdsAgain(wanted, recipeNames);
    });
  }
});
