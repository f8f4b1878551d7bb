import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright-core";
import { recipeNames } from "turnwise";
import { serve } from "turnwise-site/builder/serve.cjs";
import { viewSizes } from "turnwise-site/builder/viewSizes.cjs";
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
    const bytes = zlib.gzipSync(fs.readFileSync(path.join(out, "unlearn", "unlearn.js"))).length;
    assert.ok(bytes < 100_000, `${String(bytes)} bytes`);
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

  it("loads a rule's page, the map and the board within 100 kB, and the board's library within 350 kB", () => {
    for (const [name, { first, worker = 0 }] of Object.entries(viewSizes(out))) {
      assert.ok(first < 100_000, `${name}: ${String(first)} bytes`);
      assert.ok(worker < 350_000, `${name}: ${String(worker)} bytes`);
    }
  });

  it("tells all about a rule without scripts: headings, equation, sources, links to its neighbors", async function () {
    const [page, wrong] = await open(this, "rules/", { javaScriptEnabled: false });
    assert.equal(await page.locator("tbody tr").count(), recipeNames.length);
    await page.getByRole("link", { name: "Dr. GRPO", exact: true }).click();
    await page.getByRole("heading", { name: "Dr. GRPO", exact: true }).waitFor();
    assert.ok((await page.locator("meta[name=description]").getAttribute("content"))!.length > 80);
    assert.deepEqual(await page.locator("h2").allTextContents(), [
      ...[
        "Equation",
        "Source",
        "Differences from GRPO",
        "One field away",
        "Learning curve",
        "In three worlds",
      ],
      ...["All fields", "Departures from the source", "In verl, TRL and OpenRLHF", "Checks", "Measured card"],
      ...["Claims and verdicts", "Shown by exact computation or tests"],
    ]);
    assert.ok((await page.locator(".equation math").count()) > 0);
    await page.getByRole("link", { name: "arXiv 2503.20783" }).waitFor();
    await page.getByRole("img", { name: /Dr. GRPO ends at .* GRPO ends at/ }).waitFor();
    await page.getByRole("link", { name: "DPPO, KL" }).first().click();
    await page.getByRole("heading", { name: "DPPO, KL", exact: true }).waitFor();
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("filters the map on a phone, and keeps the menus in the link", async function () {
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;
    const [page, wrong] = await open(this, "rules/#group=Critic&year=1066", phone);
    await page.getByRole("alert").filter({ hasText: "left out: year=1066" }).waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /^\d of \d+ rules/ })
      .waitFor();
    await page.getByRole("combobox", { name: "group", exact: true }).selectOption("any");
    await page.getByRole("combobox", { name: "field", exact: true }).selectOption("gate: sapo τ");
    await page.getByRole("link", { name: "SAPO", exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, `#choice=${encodeURIComponent("gate: sapo τ")}`);
    await page.getByRole("searchbox").fill("nonsense");
    await page.getByRole("status").filter({ hasText: "no rule has all of this" }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("draws a rule's curve next to another of the reader's choice", async function () {
    const [page, wrong] = await open(this, "rules/seeUpo/#beside=ppo", {});
    await page
      .getByRole("img", { name: /SeeUPO, as in the paper ends at .* PPO with GAE ends at/ })
      .waitFor();
    await page.getByRole("combobox", { name: "next to", exact: true }).selectOption("gspo");
    await page.getByRole("img", { name: /GSPO ends at/ }).waitFor();
    assert.equal(new URL(page.url()).hash, "#beside=gspo");
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("trains a changed rule on the board until it is stopped, and refuses a gate with a fault", async function () {
    const [page, wrong] = await open(this, "board/#rule=drGrpo&change=order.carry~off&code=alert(1)", {});
    await page.getByRole("alert").filter({ hasText: "left out: code=alert(1)" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "Dr. GRPO does not take" }).waitFor();
    await page.getByRole("combobox", { name: "field", exact: true }).selectOption("scale");
    await page.getByRole("combobox", { name: "to", exact: true }).selectOption("group");
    assert.equal(new URL(page.url()).hash, "#rule=drGrpo&change=scale~group");
    await page.getByRole("button", { name: "Get its score" }).click();
    await page.getByText(/^ ?([3-9]|[1-5]\d) of 60 training runs/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Or write a gate").click();
    await page.getByLabel("Objective of one token").fill("({ ratio, advantage }) => -ratio * advantage");
    await page.getByRole("button", { name: "Check it" }).click();
    await page.getByText("so it is not trained").waitFor();
    assert.ok(await page.getByRole("button", { name: "Get its score" }).isDisabled());
    assert.ok(!page.url().includes("ratio"));
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
});
