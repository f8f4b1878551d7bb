/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const ask = (question: string, ...choices: string[]): string =>
  [`> **Predict.** ${question}`, ">", ...choices.map((text, i) => `> - (${"abc"[i]!}) ${text}`)].join("\n");

/** Two sections with a prediction each, one of them without its answer in the metadata. */
const cells = [
  { source: "# A lesson" },
  { source: `## 1. Heads\n\n${ask("How often?", "never", "at $p = 1$", "half")}`, answer: "c" },
  { source: "**Half** of the time." },
  { source: '"drawn";', code: true },
  { source: `## 2. Tails\n\n${ask("And tails?", "never", "half")}` },
  { source: "As often." },
  { source: "## Takeaways\n\nSee *your prediction in section 1*." },
];

/** Of each cell, whether it can be seen. */
const seen = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".jp-Notebook .jp-Cell")]
      .map((cell) => (cell.offsetParent === null ? "-" : "v"))
      .join(""),
  );
const expectSeen = (page: Page, cells: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLElement>(".jp-Notebook .jp-Cell")]
        .map((cell) => (cell.offsetParent === null ? "-" : "v"))
        .join("") === wanted,
    cells,
  );

describe("a prediction in JupyterLab", function () {
  this.timeout(240_000);

  it("hides what follows until a choice is made, remembers it, and never touches the notebook", async function () {
    const laboratory = await useLab(this);
    const name = laboratory.write("prediction.ipynb", [""]);
    const file = path.join(laboratory.lab.notebooks, name);
    const notebook = JSON.parse(fs.readFileSync(file, "utf8")) as { cells: object[] };
    notebook.cells = cells.map(({ source, code, answer }, i) => ({
      id: `cell-${String(i)}`,
      cell_type: code ? "code" : "markdown",
      metadata: answer === undefined ? {} : { turnwise: { answer } },
      source,
      ...(code ? { outputs: [], execution_count: null } : {}),
    }));
    fs.writeFileSync(file, JSON.stringify(notebook));
    const lab = await LabPage.open(laboratory, name);
    const { page } = lab;
    try {
      await page.evaluate(() => localStorage.setItem("turnwise:predictions", "{}"));
      await lab.reload();
      const question = page.locator(".tw-Prediction");
      const status = question.first().locator("[role=status]");
      await expectSeen(page, "vv--v-v");
      await lab.save();
      const stored = fs.readFileSync(file, "utf8");

      // By keys alone: a cell that is run leads to the choices rather than into what is hidden.
      await page.locator(".jp-MarkdownCell h2").first().click();
      await page.keyboard.press("Shift+Enter");
      await page.waitForFunction(() => document.activeElement?.textContent === "(a) never");
      assert.equal(await seen(page), "vv--v-v");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expectSeen(page, "vvvvv-v");
      assert.equal(await status.innerText(), "You chose (b). The answer is (c).");
      const pressed = question.first().locator('[aria-pressed="true"]');
      assert.match(await pressed.innerText(), /^\(b\) at/);
      assert.equal(await pressed.evaluate((one) => one === document.activeElement), true);
      assert.match(
        await page.locator(".jp-MarkdownCell").last().innerText(),
        /your prediction in section 1 \(you chose b\)/,
      );

      // A second choice does not count, and a reload does not ask again.
      await question.first().locator("button", { hasText: "(a)" }).click({ force: true });
      await lab.reload();
      await expectSeen(page, "vvvvv-v");
      assert.equal(await status.innerText(), "You chose (b). The answer is (c).");

      await question.last().locator("button", { hasText: "Show me the answer" }).click();
      await expectSeen(page, "vvvvvvv");
      assert.equal(await question.last().locator("[role=status]").innerText(), "The answer is below.");
      await question.first().locator("button", { hasText: "Ask me again" }).click();
      await expectSeen(page, "vv--vvv");
      for (const theme of ["JupyterLab Light", "JupyterLab Dark"] as const) {
        await lab.theme(theme);
        for (const one of await question.all()) {
          const { contrast, text } = await lab.leastContrast(one);
          assert.ok(contrast >= 4.5, `${theme}: "${text}" has a contrast of ${contrast.toFixed(1)}`);
        }
      }
      await question.first().locator("button", { hasText: "Never hide answers" }).click();
      await expectSeen(page, "vvvvvvv");
      await question.first().locator("button", { hasText: "Let me predict first" }).click();
      await expectSeen(page, "vv--vvv");

      assert.equal(await page.locator(".jp-mod-dirty").count(), 0);
      assert.equal(fs.readFileSync(file, "utf8"), stored);

      // A cell of the reader's own stays in sight.
      await page.locator(".jp-MarkdownCell h2").first().click();
      await page.keyboard.press("b");
      await expectSeen(page, "vvv--vvv");
      assert.equal(
        await page
          .locator(".jp-Notebook .jp-Cell")
          .nth(2)
          .evaluate((one) => one.classList.contains("jp-mod-active")),
        true,
      );
    } finally {
      await page.evaluate(() => localStorage.setItem("turnwise:predictions", '{"*":"?"}'));
      await lab.close();
    }
  });
});
