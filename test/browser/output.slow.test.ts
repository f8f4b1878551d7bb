import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cells = [
  "const runs = Array.from({ length: 45 }, (_, i) => ({ run: 'r' + i, return: ((i * 7) % 45) / 10, note: i % 2 ? 'odd' : 'even' }));\nruns",
  "%config printed = 1_000\n%config printedTail = 1_000\n%config printedPerSecond = 1_000\nfor (let i = 0; i < 4_000; i++) console.log('line ' + i)",
  '%%html\n<b id="bold">bold</b>',
  "%%latex\n$$\\nabla_\\theta J(\\theta)$$",
  "!echo from the shell\n%who Array",
  'Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64")',
];

describe("tables, large outputs and magics in JupyterLab", function () {
  this.timeout(240_000);
  let lab: LabPage;
  const open = async (one: Laboratory): Promise<void> => {
    lab = await LabPage.open(one, one.write("output.ipynb", cells));
    await lab.runAll(120_000);
  };
  shared(open, () => (lab as LabPage | undefined)?.close());

  const names = async (table: Locator): Promise<string[]> =>
    (await table.locator("tbody tr td:nth-child(2)").allInnerTexts()).map((text) => text.trim());

  /** Waits until a table begins with a row. */
  const first = (table: Locator, name: string): Promise<void> =>
    table
      .locator("tbody tr:first-child td:nth-child(2)", { hasText: new RegExp(`^\\s*${name}\\s*$`) })
      .waitFor();

  it("puts a table's rows on pages, and sorts them by the head of a column, up and down", async () => {
    const shown = lab.codeCell("const runs");
    const table = shown.locator(".jp-OutputArea-output table");
    await table.locator("tbody tr").nth(19).waitFor();
    await first(table, "r0");
    assert.equal((await names(table)).length, 20);
    await shown.getByRole("button", { name: "Next" }).click();
    await first(table, "r20");
    await shown.getByText("21 to 40 of 45").waitFor();
    await shown.getByRole("button", { name: "Last" }).click();
    await first(table, "r40");
    assert.deepEqual(await names(table), ["r40", "r41", "r42", "r43", "r44"]);
    // The return is (7 i mod 45) / 10: 0 at i = 0, .1 at i = 13 as 7 x 13 = 91 = 2 x 45 + 1, and 4.4 at i = 32 as 224 = 5 x 45 - 1.
    const head = shown.getByRole("button", { name: "return" });
    await head.focus();
    await lab.page.keyboard.press("Space");
    await shown.locator("th[aria-sort=ascending]").waitFor();
    assert.deepEqual((await names(table)).slice(0, 2), ["r0", "r13"]);
    assert.equal(await shown.locator("th[aria-sort]").getAttribute("aria-sort"), "ascending");
    await lab.page.keyboard.press("Space");
    await first(table, "r32");
    assert.equal(await shown.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");
  });

  it("links a cell's large output to its file, which JupyterLab opens", async () => {
    const shown = lab.codeCell("for (let i");
    await shown.getByText("line 3999").waitFor();
    await shown.getByRole("link", { name: /^All [\d,]+ characters/ }).click();
    await lab.page.locator(".jp-FileEditor .cm-content", { hasText: "line 0" }).waitFor();
    await lab.page.locator(".lm-TabBar-tabLabel", { hasText: "output.ipynb" }).click();
  });

  it("shows HTML, a formula, an image and what a command writes", async () => {
    await lab.codeCell("%%html").locator("#bold").waitFor();
    await lab.codeCell("%%latex").locator("mjx-container").waitFor();
    await lab.codeCell("Buffer.from").locator("img[src^='data:image/png']").waitFor();
    await lab.says(lab.codeCell("!echo"), /from the shell[^]*runs[^]*Array/);
    assert.deepEqual(await lab.errors(), []);
  });

  it("can be read in both themes", async () => {
    for (const theme of ["JupyterLab Dark", "JupyterLab Light"] as const) {
      await lab.theme(theme);
      const { contrast, text } = await lab.leastContrast(
        lab.codeCell("const runs").locator(".jp-OutputArea"),
      );
      assert.ok(contrast >= 4.5, `${theme}: ${text} has ${contrast}`);
    }
  });
});
