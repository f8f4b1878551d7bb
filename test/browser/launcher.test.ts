import assert from "node:assert/strict";
import { useLab, type Laboratory } from "../support/sharedLab.js";

describe("JupyterLab in a browser", () => {
  let laboratory: Laboratory;

  before(async function () {
    this.timeout(300_000);
    laboratory = await useLab(this);
  });

  it("offers the TypeScript kernel in its launcher", async function () {
    this.timeout(120_000);
    const page = await laboratory.newPage();
    // Lab would otherwise open what an earlier visit left open, and show no launcher.
    const url = new URL(laboratory.lab.url);
    url.searchParams.set("reset", "");
    await page.goto(url.href);
    const card = page.locator('.jp-LauncherCard[data-category="Notebook"]', {
      hasText: "TypeScript (turnwise)",
    });
    await card.waitFor({ timeout: 100_000 });
    assert.equal(await card.count(), 1);
    await page.close();
  });
});
