import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright-core";
import { serve } from "turnwise-site/builder/serve.cjs";
import { writeViews } from "turnwise-site/builder/views.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";
import { patient } from "../../support/patient.js";
import { root } from "../../support/paths.js";
import { useBrowser } from "../../support/sharedBrowser.js";

describe("a page without a cell", function () {
  this.timeout(patient(60_000));
  let out = "";
  let address = "";
  let server: Awaited<ReturnType<typeof serve>> | undefined;
  before(async () => {
    out = path.join(temporaryFolder(), "site");
    await writeViews(root, out);
    server = await serve(out, { port: 0 });
    address = `http://localhost:${String((server.address() as { port: number }).port)}/`;
  });
  after(() => {
    server?.close();
    removeTemporaryFolders();
  });

  /** Opens a view and collects what goes wrong in it, and whatever it asks of other hosts. */
  const open = async (
    context: Mocha.Context,
    name: string,
    options: BrowserContextOptions,
  ): Promise<[Page, string[]]> => {
    const browser = await useBrowser(context);
    const page = await (await browser.newContext(options)).newPage();
    const wrong: string[] = [];
    page.on("pageerror", ({ message }) => wrong.push(message));
    page.on("request", (request) => {
      if (!request.url().startsWith(address)) wrong.push(request.url());
    });
    await page.goto(address + name);
    return [page, wrong];
  };

  it("fits into 100 kB, compressed, for the first picture", () => {
    for (const name of ["unlearn", "film"]) {
      const bytes = zlib.gzipSync(fs.readFileSync(path.join(out, name, `${name}.js`))).length;
      assert.ok(bytes < 100_000, `${name}: ${String(bytes)} bytes`);
    }
  });

  it("shows GRPO unlearn the machine on a phone, and learn it by keyboard without the division", async function () {
    const phone = {
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
      reducedMotion: "reduce",
    } as const;
    const [page, wrong] = await open(this, "unlearn/#group=8&nonsense=1", phone);
    await page.getByRole("alert").filter({ hasText: "left out: nonsense=1" }).waitFor();
    await page.getByRole("button", { name: "Train the agent" }).click();
    await page.getByRole("heading", { name: "GRPO learns to take the salary, the worse choice" }).waitFor();
    await page.getByRole("switch", { name: /divide/ }).press("Space");
    await page.getByRole("button", { name: "Train the agent" }).press("Enter");
    await page.getByRole("heading", { name: /learns to pull the machine, the better choice/ }).waitFor();
    await page.getByRole("slider", { name: "group size" }).press("ArrowRight");
    assert.equal(new URL(page.url()).hash, "#group=16&divide=off");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("plays the training as a film where motion is welcome", async function () {
    const [page, wrong] = await open(this, "unlearn/", {});
    const circle = page.locator("circle.agent");
    const start = await circle.getAttribute("cx");
    await page.getByRole("button", { name: "Train the agent" }).click();
    await page.getByRole("button", { name: "Train again" }).waitFor();
    assert.ok(Number(await circle.getAttribute("cx")) < Number(start));
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("films a batch on a phone: scrubbed by keyboard, held by the clip", async function () {
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    const [page, wrong] = await open(this, "film/", phone);
    await page
      .getByRole("heading", { name: "It learns the tool in 5 passes and has forgotten it" })
      .waitFor();
    const scrub = page.getByRole("slider", { name: "Pass", exact: true });
    await scrub.press("Home");
    await page.getByRole("heading", { name: "What it says first, after pass 0" }).waitFor();
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByRole("heading", { name: "What it says first, after pass 16" }).waitFor();
    await page.getByRole("slider", { name: "clip width" }).press("ArrowRight");
    await page.getByRole("switch", { name: "clip the ratio", checked: true }).waitFor();
    assert.equal(new URL(page.url()).hash, "#clip=on&width=0.3");
    await page
      .getByText(/of 20 have forgotten it/)
      .nth(1)
      .waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });
});
