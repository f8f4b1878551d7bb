import assert from "node:assert/strict";
import { launchBrowser } from "../support/browser.js";
import { patient } from "../support/patient.js";
import { expected, runInPage, someSuites } from "./onBothHosts.js";

describe("a cell on both hosts, in short", function () {
  it("means the same in a page as on Node, but for what the list of differences says", async function () {
    this.timeout(patient(300_000));
    await (await launchBrowser(this)).close();
    const { ran, passed, failed } = await runInPage(someSuites);
    assert.deepEqual(
      failed,
      expected().filter((title) => ran.includes(title)),
    );
    assert.ok(failed.length > 0, "they hold some of the differences");
    assert.ok(passed > 30, `${passed} tests have passed`);
  });
});
