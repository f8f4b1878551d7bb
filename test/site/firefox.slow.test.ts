import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { serveSite, type BuiltSite } from "../support/builtSite.js";
import { launchFirefox } from "../support/firefoxBrowser.js";
import { patient } from "../support/patient.js";
import { inNotebookApp, Visit } from "./visit.js";

describe("a notebook of the site in Firefox", function () {
  this.timeout(patient(150_000));
  let site: BuiltSite;
  let browser: Browser;

  before(async function () {
    site = await serveSite(this);
    browser = await launchFirefox(this);
  });
  after(async () => {
    await (browser as Browser | undefined)?.close();
    await (site as BuiltSite | undefined)?.close();
  });

  it("runs a cell, interrupts a loop and keeps its variables", async () => {
    const firefox = await Visit.open(browser, site);
    await firefox.goto(inNotebookApp("notebooks/exercises/00-one-knob.ipynb"));
    await firefox.says(await firefox.runNew("`${6 * 7} in Firefox`"), "42 in Firefox");
    const loop = await firefox.runNew('let turns = 0; console.log("begun"); for (;;) turns++;');
    // A cell that is interrupted before its code runs declares nothing.
    await firefox.says(loop, "begun");
    await firefox.button("interrupt").click();
    await firefox.says(loop, "KernelInterrupt");
    await firefox.says(await firefox.runNew("`turns is a ${typeof turns}`"), "turns is a number");
    assert.deepEqual(firefox.complaints, []);
  });
});
