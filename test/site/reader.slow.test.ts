import assert from "node:assert/strict";
import fs from "node:fs";
import { unzipSync } from "fflate";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import type { LabPage } from "../browser/labPage.js";
import { allCells, patientPage, siteLab } from "./siteLab.js";

const exercise = "notebooks/exercises/00-one-knob.ipynb";
const lesson = "notebooks/00-start-here.ipynb";

describe("the reader's copy in the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  /** The reader whose copy it is. */
  let context: BrowserContext;
  let lab: LabPage;

  before(async () => {
    context = await shared().browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    lab = await siteLab(context, shared().site, exercise);
  });
  after(() => (context as BrowserContext | undefined)?.close());

  const dialog = (page: Page, title: string | RegExp): Locator =>
    page.locator(".jp-Dialog").filter({ has: page.locator(".jp-Dialog-header", { hasText: title }) });
  /** Chooses a command by keyboard alone. */
  const command = async (page: Page, label: string): Promise<void> => {
    await page.keyboard.press("Control+Shift+c");
    const field = page.locator(".lm-CommandPalette-input, .lm-CommandPalette-wrapper input").first();
    await field.waitFor();
    await field.fill(label);
    await page.locator(".lm-CommandPalette-item", { hasText: label }).first().waitFor();
    await page.keyboard.press("Enter");
  };

  const choose = async (source: string): Promise<void> => {
    const cell = await lab.writeNew(source);
    await cell.locator(".cm-content").click();
    await lab.page.keyboard.press("Escape");
    await command(lab.page, "Share This Cell");
  };
  /** The link to a new cell, as the clipboard has it. */
  const share = async (source: string): Promise<string> => {
    await lab.page.evaluate(() => (globalThis as unknown as Window).navigator.clipboard.writeText(""));
    await choose(source);
    for (;;) {
      const link = await lab.page.evaluate(() =>
        (globalThis as unknown as Window).navigator.clipboard.readText(),
      );
      if (link !== "") return link;
      await lab.page.waitForTimeout(50);
    }
  };

  it("keeps edits over a reload, and goes on from them", async () => {
    await lab.says(await lab.runNew("const mine = 6 * 7;\n`mine: ${mine}`"), /mine: 42/);
    await lab.save();
    await lab.page.reload();
    await lab.page.locator(".jp-Toolbar-kernelName", { hasText: "TypeScript (turnwise)" }).waitFor();
    await lab.idle(60_000);
    const cell = lab.codeCell("const mine");
    await cell.waitFor();
    assert.match(await lab.output(cell), /mine: 42/);
  });

  it("downloads all that the reader has changed or made as one file", async () => {
    const cell = await lab.runNew(
      'import { writeFileSync } from "node:fs";\nwriteFileSync("mine.txt", "Grüße");\n"written"',
    );
    await lab.says(cell, /written/);
    await lab.page.locator(".jp-DirListing-itemName", { hasText: "mine.txt" }).waitFor();
    const downloading = lab.page.waitForEvent("download");
    await command(lab.page, "Download My Files");
    const download = await downloading;
    assert.equal(download.suggestedFilename(), "turnwise-files.zip");
    const files = unzipSync(fs.readFileSync(await download.path()));
    assert.deepEqual(Object.keys(files).sort(), [exercise, "notebooks/exercises/mine.txt"]);
    const text = (name: string): string => new TextDecoder().decode(files[name]);
    assert.equal(text("notebooks/exercises/mine.txt"), "Grüße");
    const { cells } = JSON.parse(text(exercise)) as { cells: { source: string }[] };
    assert.match([cells.at(-1)!.source].flat().join(""), /writeFileSync/);
  });

  it("gives a notebook back the teacher's version, after a question that can be declined", async () => {
    const { page } = lab;
    await lab.codeCell("const mine").waitFor();
    const button = page.locator('[data-jp-item-name="teachers-version"] jp-button');
    await button.focus();
    await page.keyboard.press("Enter");
    const question = dialog(page, "Back to the teacher's version?");
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await lab.codeCell("const mine").waitFor();
    await button.click();
    await question.locator(".jp-mod-warn").click();
    await lab.codeCell("const mine").waitFor({ state: "detached" });
    await button.click();
    await dialog(page, "This is the teacher's version").locator("button").last().click();
    await page.reload();
    await allCells(lab, exercise);
    await lab.idle(60_000);
    assert.equal(await lab.codeCell("const mine").count(), 0);
    await page.locator(".jp-DirListing-itemName", { hasText: "mine.txt" }).waitFor();
  });

  it("gives all notebooks back the teacher's version, and names them before", async () => {
    const { page } = lab;
    await lab.writeNew("'changed'");
    await lab.save();
    const other = await patientPage(context);
    await other.goto(`${shared().site.address}notebooks/index.html?path=${lesson}`);
    await other
      .locator(".jp-CodeCell .cm-content")
      .first()
      .click({ timeout: patient(60_000) });
    await other.keyboard.insertText("// changed too\n");
    await other.keyboard.press("Control+s");
    const seen = await lab.runNew(
      'import { readFileSync } from "node:fs";\nconst text = () => readFileSync("../00-start-here.ipynb", "utf8");\n' +
        'while (!text().includes("changed too")) await new Promise((done) => setTimeout(done, 50));\n"seen"',
    );
    await lab.says(seen, /seen/);
    await other.close();
    await command(page, "All Teacher's Versions");
    const question = dialog(page, "All back to the teacher's version?");
    for (const name of [lesson, exercise])
      assert.match(await question.locator(".jp-Dialog-body").innerText(), new RegExp(name));
    await question.locator(".jp-mod-warn", { hasText: "Reset 2 notebooks" }).click();
    await lab.codeCell("'changed'").waitFor({ state: "detached" });
    await command(page, "All Teacher's Versions");
    await dialog(page, "All are the teacher's versions").locator("button").last().click();
  });

  it("shares a cell as a link that adds it to the notebook, marked, and does not run it", async () => {
    const code = 'const words = "Grüße, 世界 🎲";\nglobalThis.ran = words;\nwords.length';
    const link = await share(code);
    assert.ok(
      link.startsWith(`${shared().site.address}lab/index.html?path=${exercise}#turnwise-cell=`),
      link,
    );
    assert.ok(link.length < 400, String(link.length));
    // Of another reader, who knows the site by the second.
    const fresh = await shared().browser.newContext();
    for (const app of ["lab", "notebooks"]) {
      const page = await patientPage(fresh);
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(link.replace("/lab/", `/${app}/`));
      const question = dialog(page, "Add a cell from this link?");
      await question.waitFor({ timeout: patient(60_000) });
      assert.match(await question.innerText(), /not part of the course/);
      assert.equal(await question.locator("pre").innerText(), code);
      await page.keyboard.press("Enter");
      const added = page.locator(".jp-CodeCell.turnwise-from-link");
      await added.waitFor();
      const lines = (await added.locator(".cm-line").allInnerTexts()).join("\n");
      assert.equal(lines, `// From a link, not from the course: read it before you run it.\n${code}`);
      assert.equal(await added.locator(".jp-InputPrompt").innerText(), "[ ]:");
      assert.doesNotMatch(page.url(), /#/);
      assert.deepEqual(
        requests.filter((url) => url.includes("turnwise-cell")),
        [],
      );
      await added.locator(".cm-content").click();
      await page.keyboard.press("Control+Enter");
      await added.locator(".jp-OutputArea-output", { hasText: "12" }).waitFor({ timeout: patient(60_000) });
      await page.close();
    }
    await fresh.close();
  });

  it("leaves the code of a link out when the reader says so", async () => {
    const page = await patientPage(context);
    await page.goto(await share("'left out'"));
    await dialog(page, "Add a cell from this link?").waitFor({ timeout: patient(60_000) });
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !(globalThis as unknown as Window).location.href.includes("#"));
    assert.equal(await page.locator(".turnwise-from-link").count(), 0);
    await page.close();
  });

  it("refuses a cell that is too long, and says how long a link may be", async () => {
    const long = Array.from({ length: 3_000 }, (_, i) => ((i * 7919) % 104_729).toString(36)).join(" ");
    await choose(`// ${long}`);
    const told = dialog(lab.page, "The cell is too long for a link");
    assert.match(await told.innerText(), /must have at most 8,000 characters.*it would have \d+,\d{3}/);
    await lab.page.keyboard.press("Enter");
  });

  it("refuses a link that was cut or changed, in words, and opens the notebook", async () => {
    const page = await patientPage(context);
    const address = `${shared().site.address}lab/index.html?path=${exercise}`;
    const link = await share("'cut'");
    await page.goto(link.slice(0, -20));
    for (const [fragment, words] of [
      [undefined, /must have been copied completely, but a part is missing or changed/],
      ["%3Cscript%3E", /must have been copied completely, but it has characters that no such link has/],
      ["q1YqLVayUspIzcnJVyjPL8pJUaoFAA", /it must hold the code of a cell|must have been copied completely/],
      ["A".repeat(8_001), /must have at most 8,000 characters, but it has 8,001/],
    ] as const) {
      if (fragment !== undefined) await page.goto(`${address}#turnwise-cell=${fragment}`);
      const told = dialog(page, "The link cannot be used");
      await told.waitFor({ timeout: patient(60_000) });
      assert.match(await told.innerText(), words);
      await page.keyboard.press("Enter");
      await told.waitFor({ state: "detached" });
    }
    assert.equal(await page.locator(".turnwise-from-link").count(), 0);
    await page.locator(".jp-CodeCell").first().waitFor();
    await page.close();
  });

  it("opens the same notebook when the page is loaded again at once, and for whoever gets its address", async () => {
    const others = await shared().browser.newContext();
    const opened = await siteLab(others, shared().site, exercise);
    const { page } = opened;
    assert.equal(page.url(), `${shared().site.address}lab/index.html?path=${exercise}`);
    // As soon as the notebook is there: the application has not noted yet what is open.
    await page.reload();
    await page.locator(".jp-NotebookPanel .jp-Cell").first().waitFor();
    await page.locator(".jp-Toolbar-kernelName", { hasText: "TypeScript (turnwise)" }).waitFor();
    await opened.idle(60_000);
    const launcher = page.locator(".jp-Launcher");
    const close = page.locator("#jp-main-dock-panel .lm-mod-current .lm-TabBar-tabCloseIcon").first();
    // A kernel that has come by now has written its name into the notebook.
    const discard = page.locator(".jp-Dialog .jp-mod-warn");
    // One that is closed before its address has been followed to the end is opened once more, and closed once more.
    while (!(await launcher.isVisible())) {
      await launcher.or(discard).or(close).first().waitFor();
      if (await launcher.isVisible()) break;
      const next = (await discard.isVisible()) ? discard : close;
      await next.click({ timeout: 2_000 }).catch(() => undefined);
    }
    assert.equal(page.url(), `${shared().site.address}lab/index.html`);
    await others.close();
  });
});
