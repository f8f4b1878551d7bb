/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { readCourse } from "turnwise-site/builder/course.cjs";
import { writePages } from "turnwise-site/builder/pages.cjs";
import { serve } from "turnwise-site/builder/serve.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { useBrowser } from "../support/sharedBrowser.js";

describe("the first page of the site, alone", function () {
  this.timeout(patient(60_000));
  const { lessons } = readCourse(root);
  let out = "";
  let address = "";
  let server: Awaited<ReturnType<typeof serve>> | undefined;
  before(async () => {
    out = path.join(temporaryFolder(), "site");
    await writePages(root, root, out, { decks: false });
    // The page's own reload, by its service worker, is the whole site's.
    fs.writeFileSync(path.join(out, "isolate.js"), "");
    server = await serve(out, { port: 0 });
    address = `http://localhost:${String((server.address() as { port: number }).port)}/`;
  });
  after(() => {
    server?.close();
    removeTemporaryFolders();
  });

  const open = async (context: Mocha.Context, o: BrowserContextOptions = {}): Promise<[Page, string[]]> => {
    const browser = await useBrowser(context);
    const page = await (await browser.newContext(o)).newPage();
    const wrong: string[] = [];
    page.on("pageerror", ({ message }) => wrong.push(message));
    page.on("request", (request) => {
      if (!request.url().startsWith(address)) wrong.push(request.url());
    });
    return [page, wrong];
  };

  it("offers to go on, and keeps marks in this browser", async function () {
    const [page, wrong] = await open(this);
    await page.goto(address);
    assert.equal(await page.locator("#continue").isVisible(), false);
    const { key } = lessons[4]!.predictions[0]!;
    const choices = JSON.stringify({ [key]: "a" });
    await page.evaluate((text) => localStorage.setItem("turnwise:predictions", text), choices);
    await page.reload();
    await page.locator("#continue", { hasText: "04 The echo trap, section 2" }).waitFor();
    const card = page.locator('.card[data-lesson="04-echo-trap"]');
    await card.getByText("1 of 7 predictions made").waitFor();
    await card.getByRole("checkbox").check();
    await page.locator("#continue", { hasText: "1 of 12 lessons done" }).waitFor();
    await page.reload();
    assert.equal(await card.getByRole("checkbox").isChecked(), true);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("works where storage is blocked", async function () {
    const [page, wrong] = await open(this);
    await page.addInitScript(() =>
      Object.defineProperty(window, "localStorage", {
        get: () => {
          throw new DOMException("blocked", "SecurityError");
        },
      }),
    );
    await page.goto(address);
    await page.getByRole("checkbox", { name: "Done: Start here" }).check();
    await page.locator("#continue", { hasText: "1 of 12 lessons done" }).waitFor();
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("is searched by keyboard on a phone, and is no wider than its screen", async function () {
    const [page, wrong] = await open(this, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await page.goto(address);
    await page.keyboard.press("/");
    await page.keyboard.type("three causes");
    await page.locator("#found a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    const target = await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href);
    assert.equal(target, `${address}notebooks/index.html?path=notebooks/04-echo-trap.ipynb#4.-Three-causes`);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#found a").count(), 0);
    await page.keyboard.type("xyzzy");
    await page.getByRole("status").filter({ hasText: 'Nothing found for "xyzzy"' }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("shows the pages without a notebook before anything is scrolled: all on a laptop, the first ones on a phone", async function () {
    for (const [viewport, count] of [
      [{ width: 1280, height: 720 }, 7],
      [{ width: 390, height: 844 }, 4],
    ] as const) {
      const [page] = await open(this, { viewport });
      await page.goto(address);
      const bottoms = await page
        .locator(".tiles li")
        .evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().bottom));
      assert.equal(bottoms.length, 7);
      assert.ok(
        Math.max(...bottoms.slice(0, count)) <= viewport.height,
        `${viewport.width}: ${String(bottoms)}`,
      );
      await page.context().close();
    }
  });

  it("shows a picture for each lesson, with ink for both themes", () => {
    for (const { name } of lessons) {
      const svg = fs.readFileSync(path.join(out, "pictures", `${name}.svg`), "utf8");
      assert.match(svg, /^<svg /, name);
      assert.match(svg, /prefers-color-scheme:dark/, name);
      assert.doesNotMatch(svg, /<script|href="http/, name);
      assert.ok(svg.length < 150_000, `${name}: ${String(svg.length)}`);
    }
  });

  it("opens lessons in the same tab", () => {
    const page = fs.readFileSync(path.join(out, "index.html"), "utf8");
    assert.doesNotMatch(page, /target=/);
    assert.doesNotMatch(page, /<!-- [A-Z]+ -->/);
  });
});
