import assert from "node:assert/strict";
import { launchBrowser } from "../support/browser.js";
import { patient } from "../support/patient.js";
import { expected, runInPage, suites } from "./onBothHosts.js";

describe("a cell on both hosts", function () {
  it("means the same in a page as on Node, but for what the list of differences says", async function () {
    this.timeout(patient(600_000));
    await (await launchBrowser(this)).close();
    const { passed, failed } = await runInPage(suites);
    assert.deepEqual(failed, expected());
    assert.ok(passed > 50, `${passed} tests have passed`);
  });
});
