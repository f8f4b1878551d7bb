import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cells = [
  `/** Average return of the last episodes. */
function smoothed(returns: number[], window: number): number { return returns.slice(-window).reduce((a, b) => a + b, 0) / window }
class Agent { steps = 3; act(observation: string): string { return observation } }
const agent = new Agent();`,
  "let x = 20; x + 1",
  "console.log('shown by a rerun'); smoothed([1, 2, 3], 2)",
];

/** Two of these end only when both run at the same time: each waits for the file of the other. */
const meeting = (own: string, other: string): string =>
  `import { existsSync, writeFileSync } from "node:fs"
writeFileSync("${own}.flag", "");
while (!existsSync("${other}.flag")) await new Promise((r) => setTimeout(r, 20));
"${own} met ${other}"`;

describe("editing in JupyterLab", function () {
  this.timeout(180_000);
  let laboratory: Laboratory;
  let lab: LabPage;
  const open = async (one: Laboratory): Promise<void> => {
    laboratory = one;
    lab = await LabPage.open(laboratory, laboratory.write("editing.ipynb", cells));
    await lab.runAll(60_000);
    assert.deepEqual(await lab.errors(), []);
  };
  shared(open, () => (lab as LabPage | undefined)?.close());

  it("completes members with their kinds on Tab", async () => {
    await lab.writeNew("agent.");
    await lab.page.keyboard.press("Tab");
    const items = lab.page.locator(".jp-Completer-item");
    await items.first().waitFor();
    assert.deepEqual(await items.locator(".jp-Completer-match").allInnerTexts(), ["act", "steps"]);
    assert.deepEqual(await items.locator(".jp-Completer-typeExtended").allInnerTexts(), [
      "method",
      "property",
    ]);
    await lab.page.keyboard.press("Enter");
    await lab.page.locator(".jp-Completer-item").first().waitFor({ state: "hidden" });
    assert.equal(await lab.source(lab.cells.last()), "agent.act");
  });

  it("brings the import along of a name that nothing has imported", async () => {
    const items = lab.page.locator(".jp-Completer-item");
    const taken = async (code: string, name: string): Promise<string> => {
      await lab.writeNew(code);
      await lab.page.keyboard.press("Tab");
      await items.first().waitFor();
      const shown = await items.locator(".jp-Completer-match").allInnerTexts();
      const at = shown.findIndex((one) => one.endsWith(` ${name}`) || one.endsWith(`\n${name}`));
      for (let i = 0; i < at; i++) await lab.page.keyboard.press("ArrowDown");
      await lab.page.keyboard.press("Enter");
      await items.first().waitFor({ state: "hidden" });
      return lab.source(lab.cells.last());
    };
    assert.equal(
      await taken("const made = mkdtempSy", "mkdtempSync"),
      'import { mkdtempSync } from "node:fs"\nconst made = mkdtempSync',
    );
    assert.equal(
      await taken("typeof statfs", "statfsSync"),
      'import { statfsSync } from "node:fs"\ntypeof statfsSync',
    );
    await lab.edit(lab.cells.last(), "");
  });

  it("shows signature and docstring on Shift+Tab", async () => {
    await lab.writeNew("smoothed");
    await lab.page.keyboard.press("Shift+Tab");
    const tooltip = lab.page.locator(".jp-Tooltip");
    await tooltip.getByText("Average return of the last episodes.").waitFor();
    assert.match(await tooltip.innerText(), /smoothed\(returns: number\[\], window: number\): number/);
    await lab.page.keyboard.press("Escape");
    await tooltip.waitFor({ state: "detached" });
    await lab.edit(lab.cells.last(), "");
  });

  it("runs an edited cell again, and shows a type error with its line", async () => {
    const cell = lab.codeCell("let x");
    await lab.edit(cell, "let x = 41; x + 1");
    await lab.run(cell);
    await cell.locator(".jp-OutputArea-output", { hasText: /^42$/ }).waitFor();
    const wrong = await lab.runNew("const y = 1\nagent.steps = 'many'");
    await wrong.getByText("TS2322").first().waitFor();
    await lab.says(wrong, /2[^\n]*agent\.steps = 'many'/);
    await lab.edit(lab.cells.last(), "");
  });

  it("stops a loop by the interrupt button, and goes on", async () => {
    const cell = await lab.runNew('console.log("under way"); while (true) {}');
    await cell.getByText("under way", { exact: true }).waitFor();
    await lab.interrupt();
    await cell.locator(".jp-OutputArea-output", { hasText: "KernelInterrupt" }).waitFor();
    await lab.edit(lab.cells.last(), "x");
    await lab.run(lab.cells.last());
    await lab.idle(60_000);
  });

  it("restarts the kernel and runs all cells without an error", async () => {
    await lab.edit(lab.codeCell("let x"), "let x = 58; x + 1");
    await lab.restartAndRunAll(60_000);
    assert.deepEqual(await lab.errors(), []);
    assert.match(await lab.codeCell("class Agent").locator(".jp-InputPrompt").innerText(), /\[1\]/);
    await lab.says(lab.codeCell("let x = 58"), /59/);
    await lab.says(lab.codeCell("shown by a rerun"), /shown by a rerun[^]*2\.5/);
  });

  describe("beside another notebook", () => {
    let other: LabPage | undefined;
    before(async () => {
      for (const own of ["ada", "bob"])
        fs.rmSync(path.join(laboratory.lab.notebooks, `${own}.flag`), { force: true });
      const imported = "import * as tslab from 'tslab';\ntslab.display.html('<b>shown</b>')";
      other = await LabPage.open(laboratory, laboratory.write("for-tslab.ipynb", [imported], "tslab"));
    });
    after(() => other?.close());

    it("opens a notebook made for the kernel tslab, and runs it", async () => {
      await other!.run(other!.codeCell("import * as tslab"));
      await other!.page.locator('[data-mime-type="text/html"] b', { hasText: "shown" }).waitFor();
    });

    it("runs two notebooks at once, each in a kernel of its own", async () => {
      const ada = await lab.runNew(meeting("ada", "bob"));
      await lab.running(ada);
      const bob = await other!.runNew(meeting("bob", "ada"));
      await ada.getByText("'ada met bob'").waitFor();
      await bob.getByText("'bob met ada'").waitFor();
    });
  });
});
