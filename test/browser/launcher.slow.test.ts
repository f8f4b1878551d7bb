import assert from "node:assert/strict";
import { useLab } from "../support/sharedLab.js";

describe("JupyterLab in a browser", function () {
  this.timeout(300_000);

  it("offers the TypeScript kernel in its launcher", async function () {
    const laboratory = await useLab(this);
    const page = await laboratory.newPage();
    // Lab would otherwise open what an earlier visit left open, and show no launcher.
    const url = new URL(laboratory.lab.url);
    url.searchParams.set("reset", "");
    await page.goto(url.href);
    const card = page.locator('.jp-LauncherCard[data-category="Notebook"]', {
      hasText: "TypeScript (turnwise)",
    });
    await card.waitFor();
    assert.equal(await card.count(), 1);
    await page.close();
  });
});
