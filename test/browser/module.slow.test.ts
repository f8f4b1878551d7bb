import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cells = [
  `%%module mine.ts
import { custom, make, recipe, register } from "turnwise";

/** A rule that looks at the square of the return. */
export const row = recipe("rloo", { advantage: custom("squared", (batch) => batch.return_n.map((R) => R ** 2)) });
export class Walker { stride = 3; step(): number { return this.stride } }
register("LabLookUp-v0", (options) => make("LookUp-v0", options));`,
  'new Walker().step() + " steps"',
  `import { sweep, sweepTable } from "turnwise";
const run = sweep({ recipe: ["rloo", row], env: "LabLookUp-v0", updates: 3, seeds: 2, workers: 2, metric: "reward/mean" });
display(sweepTable(run));
(await run).results.length + " results"`,
];

describe("a module of a notebook in JupyterLab", function () {
  this.timeout(240_000);
  let laboratory: Laboratory;
  let lab: LabPage;
  let file = "";
  const open = async (one: Laboratory): Promise<void> => {
    laboratory = one;
    file = path.join(laboratory.lab.notebooks, "mine.ts");
    fs.rmSync(file, { force: true });
    lab = await LabPage.open(laboratory, laboratory.write("module.ipynb", cells));
    await lab.runAll(120_000);
  };
  shared(open, () => (lab as LabPage | undefined)?.close());

  it("is written beside it, and known to its cells and to the threads of a sweep", async () => {
    assert.deepEqual(await lab.errors(), []);
    const module = lab.codeCell("%%module mine.ts");
    await lab.says(module, /^mine\.ts is written; imported Walker, row\n$/);
    assert.match(fs.readFileSync(file, "utf8"), /^\/\/ Written by the cell "%%module mine\.ts"/);
    await lab.codeCell("new Walker().step()").getByText("'3 steps'").waitFor();
    await lab.says(lab.codeCell("sweepTable(run)"), /advantage\.by="squared"[^]*'4 results'/);
  });

  it("completes the members of what it exports, and explains it", async () => {
    await lab.writeNew("new Walker().st");
    await lab.page.keyboard.press("Tab");
    const items = lab.page.locator(".jp-Completer-item .jp-Completer-match");
    await items.first().waitFor();
    assert.deepEqual(await items.allInnerTexts(), ["step", "stride"]);
    await lab.page.keyboard.press("Escape");
    await lab.edit(lab.cells.last(), "row");
    await lab.page.keyboard.press("Shift+Tab");
    await lab.page.locator(".jp-Tooltip").getByText("the square of the return").waitFor();
    await lab.page.keyboard.press("Escape");
    await lab.edit(lab.cells.last(), "");
  });

  it("replaces what it exported when its cell is edited and runs again, or its file is edited", async () => {
    const module = lab.codeCell("%%module mine.ts");
    await lab.edit(module, cells[0]!.replace("stride = 3", "stride = 4"));
    await lab.run(module);
    const user = lab.codeCell("new Walker().step()");
    await lab.run(user);
    await user.getByText("'4 steps'").waitFor();
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("stride = 4", "stride = 5"));
    await lab.run(user);
    await user.getByText("'5 steps'").waitFor();
    await user.getByText("mine.ts has changed and is imported again").waitFor();
  });

  it("shows a type error at its line, and keeps a file that was edited by hand", async () => {
    const module = lab.codeCell("%%module mine.ts");
    const edited = fs.readFileSync(file, "utf8");
    await lab.run(module);
    await module.getByText("it was edited on disk since its cell wrote it, so it is kept").first().waitFor();
    assert.equal(fs.readFileSync(file, "utf8"), edited);
    await lab.edit(module, "%%module mine.ts --force\n\nexport const row: number = 'none';");
    await lab.run(module);
    await module.getByText("TS2322").first().waitFor();
    await lab.says(module, /3[^\n]*export const row: number = 'none'/);
    assert.equal(fs.readFileSync(file, "utf8"), edited);
  });
});
