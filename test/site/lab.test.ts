import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Locator } from "playwright-core";
import { launchBrowser } from "../support/browser.js";
import { serveSite, type BuiltSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { LabPage } from "../browser/labPage.js";
import { ForeignFrame } from "./foreignFrame.js";
import { allCells, untilChecked } from "./siteLab.js";

const lesson = "notebooks/00-start-here.ipynb";
const exercise = "notebooks/exercises/00-one-knob.ipynb";

describe("the site", function () {
  this.timeout(patient(120_000));
  let browser: Browser;
  let site: BuiltSite;
  let lab: LabPage;

  /** Opens a notebook of the site in Lab by its address, as on a first visit or where the browser knows the site. */
  const open = async (notebook: string, at = site, known?: BrowserContext): Promise<LabPage> => {
    const context = known ?? (await browser.newContext());
    return LabPage.open(
      {
        newPage: () => context.newPage(),
        address: (name) => `${at.address}lab/index.html?path=${name}`,
        endKernel: () => context.close(),
      },
      notebook,
    );
  };
  const says = (cell: Locator, text: string | RegExp): Promise<void> =>
    cell
      .locator(".jp-OutputArea-output", { hasText: text })
      .first()
      .waitFor({ timeout: patient(30_000) });

  before(async function () {
    site = await serveSite(this);
    browser = await launchBrowser(this);
    lab = await open(exercise);
    await allCells(lab, exercise);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  it("opens a lesson at its own address in the notebook application, isolated, with its stored figures", async () => {
    const page = await browser.newPage();
    await page.goto(`${site.address}lessons/00-start-here/`);
    const first = page.locator(".jp-Notebook .jp-CodeCell").first();
    await first
      .locator(".jp-RenderedHTMLCommon svg, .jp-RenderedSVG")
      .first()
      .waitFor({ timeout: patient(60_000) });
    assert.equal(new URL(page.url()).searchParams.get("path"), lesson);
    assert.equal(await page.evaluate("crossOriginIsolated"), true);
    const folder = path.join(root, "build", "screenshots", "site");
    fs.mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: path.join(folder, "lesson.png") });
    await page.close();
  });

  it("lists every lesson and exercise, and says what does not work", async () => {
    const page = await browser.newPage();
    await page.goto(site.address);
    // Until then the page is loaded once more, and whoever reads it loses it.
    await page.locator("#isolated", { hasText: "This page is isolated" }).waitFor();
    const links = await page
      .locator('ol a[href^="notebooks/"]')
      .evaluateAll((all) =>
        all.map((one) => new URL((one as HTMLAnchorElement).href).searchParams.get("path")!),
      );
    const there = (folder: string): string[] =>
      fs.readdirSync(path.join(root, "notebooks", folder)).filter((name) => name.endsWith(".ipynb"));
    for (const folder of ["", "exercises", "appendix"])
      for (const name of there(folder))
        assert.ok(links.includes(path.posix.join("notebooks", folder, name)), name);
    const limits = await page.locator(".limits").first().innerText();
    assert.match(limits, /^In no browser: shell commands and child processes/);
    assert.match(limits, /A path of your own computer they cannot open\./);
    await page.close();
  });

  it("runs cells, and keeps what they declare", async () => {
    await says(await lab.runNew("let kept = 6 * 7;\nkept"), "42");
    await says(await lab.runNew("kept + 1"), "43");
  });

  it("has the timers and microtasks of a browser, which can be called off", async () => {
    await says(
      await lab.runNew(
        "clearTimeout(setTimeout(() => console.log('never'), 1));\n" +
          "await new Promise<void>((done) => queueMicrotask(done));\n`off and done`",
      ),
      "off and done",
    );
  });

  it("tells of a type error before the cell runs, once the types have been loaded", async () => {
    const cell = await lab.runNew("const wrong: number = 'text';\n'it ran'");
    await untilChecked(lab, cell, "Type 'string' is not assignable to type 'number'");
    assert.doesNotMatch(await lab.output(cell), /it ran/);
  });

  it("has nothing to save of a notebook that was only opened, once its kernel has come", async () => {
    for (const notebook of [lesson, exercise]) {
      const opened = await open(notebook);
      await allCells(opened, notebook);
      // By then Jupyter has written what the kernel says of itself into the notebook, and pictures of the charts that show.
      await opened.page.waitForTimeout(patient(3_000));
      assert.equal(await opened.page.locator(".jp-mod-dirty").count(), 0, notebook);
      const cell = opened.page.locator(".jp-Notebook .jp-CodeCell").first();
      await opened.edit(cell, "'what the reader writes'");
      await opened.page.locator(".jp-mod-dirty").first().waitFor();
      await opened.close();
    }
  });

  it("drops the cells that wait behind an error", async () => {
    const slow = await lab.writeNew(
      "await new Promise((done) => setTimeout(done, 3000)); throw new Error('stop here')",
    );
    await lab.page.keyboard.press("Shift+Enter");
    const waiting = await lab.runNew("console.log('must not run')");
    await says(slow, "stop here");
    await lab.idle(30_000);
    assert.equal(await lab.output(waiting), "");
  });

  it("moves a slider while a cell awaits it", async () => {
    const cell = await lab.runNew(
      'import { widgets } from "turnwise-kernel";\n' +
        "const rate = new widgets.IntSlider({ value: 1, max: 10 }); display(rate);\n" +
        "while (rate.value < 3) await new Promise((done) => setTimeout(done, 20));\n`moved to ${rate.value}`",
    );
    await cell.locator(".noUi-handle").focus();
    await lab.page.keyboard.press("ArrowRight");
    await lab.page.keyboard.press("ArrowRight");
    await says(cell, "moved to 3");
  });

  it("interrupts loops, also of plain arithmetic, and an await, and the variables stay", async () => {
    for (const code of [
      "let turns = 0;\nfor (;;) turns++;",
      "const sums = new Float32Array(8);\nfor (let i = 0; i < 1e15; i++) sums[i & 7]! += i;",
    ]) {
      const loop = await lab.runNew(code);
      await lab.running(loop);
      await lab.interrupt();
      await says(loop, "KernelInterrupt");
    }
    const wait = await lab.runNew("await new Promise(() => {});");
    await lab.running(wait);
    await lab.interrupt();
    await says(wait, "KernelInterrupt");
    await says(await lab.runNew("`turned ${turns > 0}`"), "turned true");
  });

  it("ends the worker of a cell that hears nothing, but only after a warning", async () => {
    const cell = await lab.runNew("/^(a+)+$/.test('a'.repeat(60) + 'b')");
    await lab.running(cell);
    await lab.interrupt();
    await says(
      cell,
      "Interrupt once more to replace its session with a fresh one; all variables are lost then.",
    );
    await lab.interrupt();
    await says(cell, "A new one has been started; all variables are gone");
    await says(await lab.runNew("`${6 * 7} again`"), "42 again");
  });

  it("interrupts a loop in another site's frame, where no memory is shared", async () => {
    const framed = await ForeignFrame.open(browser, `${site.address}lab/index.html?path=${exercise}`);
    try {
      await framed.load();
      const cell = await framed.run(
        "console.log(String(globalThis.crossOriginIsolated)); let n = 0; for (let i = 0; i < 1e15; i++) n += i;",
      );
      await says(cell, "false");
      await framed.inside.locator('[data-jp-item-name="interrupt"] jp-button').first().click();
      await says(cell, "KernelInterrupt");
    } finally {
      await framed.close();
    }
  });

  it("runs the first lesson to its end, playground included", async () => {
    const course = await open(lesson);
    await course.runAll(90_000);
    assert.deepEqual(await course.errors(), []);
    await course.page.locator(".jp-OutputArea-output", { hasText: "The playground stands above." }).waitFor();
    await course.close();
  });

  it("opens what was opened before when the network is gone, and runs it", async () => {
    const other = await serveSite(this.ctx as Mocha.Context);
    const visited = await open(exercise, other);
    await allCells(visited, exercise);
    await says(await visited.runNew("`${6 * 7} online`"), "42 online");
    await other.close();
    const again = await open(exercise, other, visited.page.context());
    await allCells(again, exercise);
    await says(await again.runNew("`${6 * 8} offline`"), "48 offline");
    await again.close();
  });
});
