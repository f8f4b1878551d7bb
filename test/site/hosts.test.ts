import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "../support/browser.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { differencesTable, expected, runInPage } from "./onBothHosts.js";

describe("a cell on both hosts", function () {
  it("means the same in a page as on Node, but for what the list of differences says", async function () {
    this.timeout(patient(600_000));
    await (await launchBrowser(this)).close();
    const { passed, failed } = await runInPage();
    assert.deepEqual(failed, expected());
    assert.ok(passed > 50, `${passed} tests have passed`);
  });

  it("differs as kernel/README.md says", () => {
    const squeeze = (text: string): string => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");
    const page = squeeze(readFileSync(join(root, "kernel/README.md"), "utf8"));
    assert.ok(page.includes(squeeze(differencesTable())), "print it: node build/test/site/onBothHosts.js");
  });
});
