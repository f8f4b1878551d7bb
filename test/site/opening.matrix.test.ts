import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { runsAtOnce } from "./earlyRun.js";

describe("notebooks that open in the site for many readers", function () {
  this.timeout(patient(240_000));
  const shared = sharedSite();

  it("run a cell as soon as it is there, though its kernel is still to come, on the first visit and the next", async () => {
    // Whether the kernel is still to come, chance decides.
    for (let readers = 0; readers < 6; readers++) await runsAtOnce(shared().browser, shared().site);
  });
});
