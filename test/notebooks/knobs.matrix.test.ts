import { patient } from "../support/patient.js";
import { budgetMs, folder } from "./committedNotebooks.js";
import { itRunsSmall, lessons, still } from "./knobs.js";
import { sharedKernel } from "./sharedKernel.js";

describe("the knobs of every lesson", function () {
  this.timeout(patient(budgetMs) + 60_000);
  this.slow(60_000);
  const kernel = sharedKernel({ cwd: folder });

  for (const name of lessons) if (!(name in still)) itRunsSmall(name, kernel);
});
