import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const seen = path.join(root, "build", "screenshots");
const cells = [
  `import { learningCurve, liveCurve, readRecords, trainSeeds } from "turnwise";
const setting = { env: "LookUp-v0", recipe: "grpo", policy: { syntaxPrior: 3 }, updates: 400, evaluateExact: true } as const;
const curve = liveCurve({ metric: "return/exact", optimum: 1, total: 400 });`,
  `const some = await trainSeeds(setting, 20, { workers: 2, chart: curve });`,
  `const all = await trainSeeds(setting, 20, { resume: some });
await all.save("seeds.csv");
await learningCurve(all, { metric: "return/exact", optimum: 1 }).save("seeds.png");
learningCurve(await readRecords("seeds.csv"), { metric: "return/exact", optimum: 1 })`,
  "all",
];

describe("twenty seeds in JupyterLab", function () {
  this.timeout(240_000);
  let laboratory: Laboratory;
  let lab: LabPage;
  const open = async (one: Laboratory): Promise<void> => {
    laboratory = one;
    lab = await LabPage.open(laboratory, laboratory.write("seeds.ipynb", cells));
    fs.mkdirSync(seen, { recursive: true });
  };
  shared(this, open, () => (lab as LabPage | undefined)?.close());

  it("are interrupted with a growing band and a bar, resumed, drawn and saved", async () => {
    await lab.run(lab.codeCell("liveCurve({"));
    const training = lab.codeCell("const some");
    await lab.run(training);
    await training
      .getByText(/grpo: [1-9]\d* of 20 seeds/)
      .first()
      .waitFor({ timeout: 60_000 });
    await training.locator("progress").waitFor();
    await lab.screenshot(path.join(seen, "seeds-training.png"));
    await lab.interrupt();
    await training.getByText("KernelInterrupt").first().waitFor();
    await training.getByText(/Interrupted: \d+ of 20 seeds are finished and kept/).waitFor();
    await lab.theme("JupyterLab Dark");
    await lab.screenshot(path.join(seen, "seeds-interrupted-dark.png"));
    await lab.theme("JupyterLab Light");
    const rest = lab.codeCell("resume: some");
    await lab.run(rest);
    await rest.locator(".jp-OutputArea-output svg, .jp-OutputArea-output canvas").first().waitFor();
    assert.equal(await rest.locator("progress").count(), 0, "a finished bar goes away");
    const files = ["seeds.csv", "seeds.png"].map((name) => path.join(laboratory.lab.notebooks, name));
    for (const file of files) assert.ok(fs.statSync(file).size > 1000, file);
    const last = lab.cells.nth(3);
    await lab.run(last);
    await last.getByText("grpo: 20 seeds, 400 updates each").waitFor();
    await lab.screenshot(path.join(seen, "seeds-done.png"));
  });
});
