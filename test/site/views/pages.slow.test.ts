import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright-core";
import { doctor } from "turnwise-practice";
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
      // What a page has made itself is in its memory.
      const isHere = request.url().startsWith(address) || request.url().startsWith("blob:");
      if (!isHere) wrong.push(request.url());
    });
    await page.goto(address + name);
    return [page, wrong];
  };

  it("fits into 100 kB, compressed, for the first picture", () => {
    const bytes = zlib.gzipSync(fs.readFileSync(path.join(out, "unlearn", "unlearn.js"))).length;
    assert.ok(bytes < 100_000, `${String(bytes)} bytes`);
  });

  it("loads at most 350 kB, compressed, for the doctor of logs", () => {
    const size = (name: string): number =>
      zlib.gzipSync(fs.readFileSync(path.join(out, "doctor", name))).length;
    assert.ok(size("doctor.js") < 100_000, `${String(size("doctor.js"))} bytes`);
    assert.ok(size("worker.js") < 350_000, `${String(size("worker.js"))} bytes`);
  });

  it("makes of a run's files the page that the command makes, without a request", async function () {
    const [page, wrong] = await open(this, "doctor/", { acceptDownloads: true });
    await page.getByText("works without a network").waitFor();
    await page.context().setOffline(true);
    page.on("request", (request) => {
      if (!request.url().startsWith("blob:")) wrong.push(request.url());
    });
    const given = [
      "datasets/debugging/entropy-rises/launch.sh",
      "datasets/debugging/entropy-rises/run.jsonl",
      "datasets/trajectories/completions_00001.parquet",
    ].map((name) => path.join(root, name));
    await page.getByLabel("Files of the run").setInputFiles(given);
    await page.getByRole("heading", { name: "Success fell exit code 3" }).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save this page" }).press("Enter");
    const saved = fs.readFileSync(await (await saving).path(), "utf8");
    assert.equal(saved, (await doctor(given)).toHtml());
    // What is no log is refused, and says what a log is.
    await page.getByRole("button", { name: "Start over" }).press("Enter");
    await page.getByRole("button", { name: "Paste console output" }).press("Enter");
    await page.keyboard.type("Loading checkpoint shards");
    await page.getByRole("button", { name: "Examine it" }).press("Enter");
    await page.getByRole("heading", { name: "Nothing could be read exit code 1" }).waitFor();
    await page.getByText(/must hold a log, a configuration or rollouts/).waitFor();
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("cannot send anything from the page that reads a run's files", async function () {
    const [page] = await open(this, "doctor/", {});
    const refused = await page.evaluate(() =>
      fetch("views.css").then(
        () => "sent",
        (error: Error) => error.name,
      ),
    );
    assert.equal(refused, "TypeError");
    // Nor from a worker that it starts, as the one that reads the files.
    const inWorker = await page.evaluate(
      (target) =>
        new Promise((resolve) => {
          const script = `fetch(${JSON.stringify(target)}).then(() => postMessage("sent"), ({ name }) => postMessage(name))`;
          const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
          worker.onmessage = ({ data }) => resolve(data);
        }),
      `${address}views.css`,
    );
    assert.equal(inWorker, "TypeError");
    await page.context().close();
  });

  it("takes ten bets by keyboard, and tells how the alarms did on the same ten", async function () {
    const first = ["forecast.js", "runs.json"].map(
      (name) => zlib.gzipSync(fs.readFileSync(path.join(out, "forecast", name))).length,
    );
    assert.ok(first[0]! + first[1]! < 100_000, `${String(first)} bytes`);
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    const [page, wrong] = await open(this, "forecast/#draw=3", phone);
    for (let round = 1; round <= 10; round++) {
      await page.getByText(`Run ${String(round)} of 10: your bet?`).waitFor();
      await page.getByRole("button", { name: "no idea" }).press("Enter");
      await page.getByText("You left it open.").waitFor();
      // The keyboard is on the button that goes on.
      await page.keyboard.press("Enter");
    }
    await page.getByRole("heading", { name: /on these ten: 0\.50/ }).waitFor();
    await page.getByRole("row", { name: /you .*0\.50/ }).waitFor();
    await page.getByText("yours is 0.50, as it never tells two runs apart").waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
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
});
