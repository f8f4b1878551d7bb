import assert from "node:assert/strict";
import path from "node:path";
import type { Locator } from "playwright-core";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { takesPictures } from "../support/pictures.js";
import { ForeignFrame } from "./foreignFrame.js";
import { inLab } from "./visit.js";

const exercise = "notebooks/exercises/00-one-knob.ipynb";

describe("a notebook in another site's frame, where no memory is shared", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  let framed: ForeignFrame;
  before(async () => {
    const { browser, site } = shared();
    framed = await ForeignFrame.open(browser, site.address + inLab(exercise));
    await framed.load();
  });
  after(() => (framed as ForeignFrame | undefined)?.close());

  const says = (cell: Locator, text: string): Promise<void> =>
    cell
      .locator(".jp-OutputArea-output", { hasText: text })
      .first()
      .waitFor({ timeout: patient(30_000) });
  const told = (): Locator =>
    framed.inside.locator("#turnwise-notices > div", {
      hasText: "an interrupt takes a quarter of a second, and training has one thread",
    });

  it("says that it is not isolated, what that means, and where more is said", async () => {
    await told().waitFor({ timeout: patient(60_000) });
    const href = await told().locator("a").getAttribute("href");
    assert.equal(href, `${shared().site.address}#limits`);
    if (takesPictures)
      await framed.page.screenshot({
        path: path.join(root, "build", "screenshots", "site", "not-isolated.png"),
      });
  });

  it("interrupts a loop", async () => {
    const cell = await framed.run(
      "console.log(String(globalThis.crossOriginIsolated)); let n = 0; for (let i = 0; i < 1e15; i++) n += i;",
    );
    await says(cell, "false");
    await framed.inside.locator('[data-jp-item-name="interrupt"] jp-button').first().click();
    await says(cell, "KernelInterrupt");
  });

  it("keeps files, and says no second time that it is not isolated", async () => {
    const file = framed.inside.locator(".jp-DirListing-itemName", { hasText: "framed.txt" });
    const written = await framed.run(
      'await import("node:fs"); require("node:fs").writeFileSync("framed.txt", "kept"); "written"',
    );
    await says(written, "written");
    await file.waitFor();
    await framed.load();
    await framed.inside
      .locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
      .waitFor({ timeout: patient(60_000), state: "attached" });
    const read = await framed.run(
      'await import("node:fs"); console.log(require("node:fs").readFileSync("framed.txt", "utf8"));',
    );
    await says(read, "kept");
    await file.waitFor();
    assert.equal(await told().count(), 0);
  });
});
