/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { takesPictures } from "../support/pictures.js";
import { inLab, inNotebookApp, Visit } from "./visit.js";

const seen = path.join(root, "build", "screenshots", "site");
const committed = path.join(root, "test", "site", "screenshots");
const lesson = "notebooks/00-start-here.ipynb";
const exercise = "notebooks/exercises/00-one-knob.ipynb";
/** As wide and high as a phone that is no longer new. */
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe("the looks of the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  before(() => void fs.mkdirSync(seen, { recursive: true }));

  /** A picture for a person to look at, when pictures are asked for. */
  const shoot = async (page: Page, name: string): Promise<void> => {
    if (takesPictures) await page.screenshot({ path: path.join(seen, `${name}.png`) });
  };
  /** The picture of the README: the first training run. */
  const forReadme = async (reader: Visit): Promise<void> => {
    await reader.notice("Types").waitFor({ state: "detached" });
    for (const index of [1, 2]) {
      await reader.codeCell(index).locator(".cm-content").click();
      await reader.page.keyboard.press("Control+Enter");
    }
    await reader.says(await reader.runNew("`${records.length} records`"), "100 records");
    await reader.codeCell(2).scrollIntoViewIfNeeded();
    await reader.codeCell(2).locator(".vega-embed").first().scrollIntoViewIfNeeded();
    await reader.page.screenshot({ path: path.join(committed, "lesson.png") });
  };
  const active = (page: Page): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

  describe("its first page", () => {
    let reader: Visit;
    before(async () => {
      reader = await Visit.open(shared().browser, shared().site);
      await reader.goto("");
    });
    after(() => (reader as Visit | undefined)?.close());

    it("lists every lesson and exercise, and says what does not work", async () => {
      const { page } = reader;
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
      assert.match(limits, /Cells cannot open paths on your computer\./);
    });

    it("says on the first page what works in no browser, and what the kernel does on Node.js alone", async () => {
      const text = await reader.page.locator("main").innerText();
      assert.match(text, /In no browser: shell commands and child processes/);
      assert.match(text, /Files: cells read the files of the course and files that you upload/);
      const readme = fs.readFileSync(path.join(root, "kernel", "README.md"), "utf8");
      const rows = readme
        .slice(readme.search(/\| on Node\.js +\|/))
        .split("\n")
        .slice(2);
      const first = rows[0]!.split("|")[2]!.trim().replaceAll("`", "");
      assert.ok(text.includes(first), first);
    });
  });

  it("tells an old browser, and one without scripts, what it must have", async () => {
    const old = await Visit.open(shared().browser, shared().site);
    await old.page.addInitScript("delete globalThis.structuredClone");
    for (const below of ["", inNotebookApp(lesson), inLab(lesson)]) {
      await old.goto(below.replace("path=", "of=")).catch(() => undefined);
      await old.page.locator('[role="alert"]', { hasText: "it must be at least Chrome" }).waitFor();
    }
    await old.close();
    // Playwright's browser without scripts still reads the page as one that has them.
    const page = await (await fetch(shared().site.address)).text();
    assert.match(page, /<noscript>.*The notebooks need JavaScript/s);
  });

  it("is as wide as a phone, whose thumb runs a cell and interrupts it", async () => {
    const reader = await Visit.open(shared().browser, shared().site, phone);
    await reader.goto("");
    await reader.page.locator("#isolated", { hasText: "isolated" }).waitFor();
    assert.ok((await reader.overhang()) <= 0, "the first page is wider than the screen");
    await shoot(reader.page, "phone-index");
    const heights = await reader.page
      .locator("ol a:visible")
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
    assert.ok(Math.min(...heights) >= 36, `a link is ${Math.min(...heights)} pixels high`);
    await reader.goto(inNotebookApp(exercise));
    assert.ok((await reader.overhang()) <= 0, "the notebook is wider than the screen");
    const cell = reader.codeCell(0);
    await cell.locator(".cm-content").tap();
    await reader.page.keyboard.press("Control+a");
    await reader.page.keyboard.insertText("console.log('begun'); await new Promise(() => {});");
    for (const name of ["run", "interrupt"] as const) {
      const box = (await reader.button(name).boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= phone.viewport.width, `${name} is beyond the edge`);
    }
    await reader.button("run").tap();
    await reader.says(cell, "begun");
    await reader.button("interrupt").tap();
    await reader.says(cell, "KernelInterrupt");
    await shoot(reader.page, "phone-notebook");
    await reader.close();
  });

  it("is used with the keyboard alone: skips, opens a lesson, runs a cell, interrupts it", async () => {
    const reader = await Visit.open(shared().browser, shared().site);
    const { page } = reader;
    await reader.goto("");
    await page.locator("#isolated", { hasText: "isolated" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await active(page), "Skip to the lessons");
    const left = await page.evaluate(() => document.activeElement!.getBoundingClientRect().left);
    assert.ok(left >= 0, "the link to skip is not to be seen when it has the focus");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.equal(await active(page), "Start here");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    assert.equal(outline, "solid", "what has the focus is to be seen");
    await page.keyboard.press("Enter");
    await page.locator(".jp-Notebook .jp-Cell").nth(24).waitFor({ state: "attached" });
    await page.waitForFunction(() => document.activeElement?.closest(".jp-Notebook"));
    // The notebook has the focus: a new cell below, its text, run, back to command mode, interrupt.
    await page.keyboard.press("b");
    const cell = page.locator(".jp-Notebook .jp-Cell.jp-mod-selected");
    await page.keyboard.press("Enter");
    await page.keyboard.insertText("console.log('begun'); for (;;);");
    await page.keyboard.press("Control+Enter");
    await reader.says(cell, "begun");
    await page.keyboard.press("i");
    await page.keyboard.press("i");
    await reader.says(cell, "KernelInterrupt");
    await reader.close();
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`wears the ${colorScheme} theme of the reader's system, charts and help with it`, async function () {
      const reader = await Visit.open(shared().browser, shared().site, { colorScheme });
      const { page } = reader;
      await reader.goto("");
      await page.locator("#isolated", { hasText: "is isolated" }).waitFor();
      const dark = colorScheme === "dark";
      const ground = (selector: string): Promise<number> =>
        page.evaluate((of) => {
          const color = getComputedStyle(document.querySelector(of)!).backgroundColor;
          return Number(/\d+/.exec(color)![0]);
        }, selector);
      assert.equal((await ground("body")) < 128, dark, "the first page");
      await shoot(page, `index-${colorScheme}`);
      await reader.goto(inNotebookApp(lesson));
      const name = dark ? "JupyterLab Dark" : "JupyterLab Light";
      await page.waitForFunction((theme) => document.body.dataset.jpThemeName === theme, name);
      await reader.codeCell(0).locator(".cm-content").click();
      await page.keyboard.press("Control+Enter");
      await reader
        .codeCell(0)
        .locator(".jp-InputPrompt", { hasText: /^\[1\]:$/ })
        .first()
        .waitFor();
      const ink = await reader
        .codeCell(0)
        .locator("svg text")
        .first()
        .evaluate((text) => Number(/\d+/.exec(getComputedStyle(text).fill)![0]));
      assert.equal(ink > 128, dark, "the words of a drawing");
      await shoot(page, `lesson-${colorScheme}`);
      // By the arrows from any other button of the toolbar, as in JupyterLab.
      await page.keyboard.press("Escape");
      await page.locator('[data-jp-item-name="save"] jp-button').first().focus();
      const focused = (): Promise<string | null | undefined> =>
        page.evaluate(() =>
          document.activeElement?.closest("[data-jp-item-name]")?.getAttribute("data-jp-item-name"),
        );
      for (let steps = 0; steps < 14 && (await focused()) !== "teachers-version"; steps++)
        await page.keyboard.press("ArrowRight");
      assert.equal(await focused(), "teachers-version");
      const outline = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(
          document.activeElement!.shadowRoot!.querySelector("button")!,
        );
        return `${outlineStyle} ${outlineWidth}`;
      });
      assert.equal(outline, "solid 2px", "the button that has the focus is to be seen");
      const help = await reader.runNew('import { recipe } from "turnwise";\nhelp(recipe)');
      await reader.says(help, "recipe");
      assert.equal(await help.locator('[data-mime-type*="jupyter.error"]').count(), 0);
      await help.scrollIntoViewIfNeeded();
      await shoot(page, `help-${colorScheme}`);
      if (!dark && process.env.UPDATE_SCREENSHOTS) await forReadme(reader);
      await reader.close();
    });

  describe("a notebook, in which cells", () => {
    let reader: Visit;
    before(async () => {
      reader = await Visit.open(shared().browser, shared().site);
    });
    after(() => (reader as Visit | undefined)?.close());

    it("run unchecked, as a notice says, while the types are being loaded, until they are there", async () => {
      await reader.page.route("**/types.js*", async (route) => {
        await reader.notice("Types are being loaded; until they are there, cells run unchecked").waitFor();
        await route.continue();
      });
      await reader.goto(inNotebookApp(exercise));
      await reader.says(await reader.runNew("6 * 7"), "42");
      await reader.notice("Types are there: cells are checked before they run").waitFor();
    });

    it("look for files: the host is asked for nothing that is not there", async () => {
      // What is looked for upwards, and in folders that are not there.
      const looked = await reader.runNew(
        'import { existsSync } from "node:fs";\nimport { measured } from "turnwise-course";\n' +
          '`${measured("credit").length > 9} ${existsSync("datasets/nowhere/a.csv")} ${existsSync("own/b.json")}`',
      );
      await reader.says(looked, "true false false");
      assert.deepEqual(reader.complaints, [], "files that are not there");
    });

    it("wait for the answer to prompt(), isolated", async () => {
      const cell = await reader.runNew('`hello ${prompt("Who?")}`');
      const field = cell.locator("input.jp-Stdin-input");
      await field.fill("Ada");
      await field.press("Enter");
      await reader.says(cell, "hello Ada");
    });
  });
});
