import assert from "node:assert/strict";
import { launchFirefox } from "../support/firefoxBrowser.js";
import { patient } from "../support/patient.js";
import { kernelInPage, testInterrupts } from "./interruptTests.js";
import { pageRows, tryInPage } from "./pageTrials.js";

for (const isolated of [true, false]) testInterrupts(isolated, [0, 15]);

describe("interrupt in Firefox", function () {
  this.timeout(patient(60_000));
  const kernel = kernelInPage(true, launchFirefox);

  it("reaches loops that it compiles as if nothing could change the shared memory that they read", async () => {
    for (const row of pageRows.slice(0, 3)) {
      for (const afterMs of [0, 10, 20, 30, 40, 50]) {
        const { faults } = await tryInPage(kernel(), row, afterMs);
        assert.deepEqual(faults, [], `${row.title}, after ${afterMs} ms`);
      }
    }
  });
});
