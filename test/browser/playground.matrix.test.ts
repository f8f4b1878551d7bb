import assert from "node:assert/strict";
import { useLab } from "../support/sharedLab.js";
import { Panel } from "./playgroundPanel.js";

// None of them ends by itself before the test has seen what it looks for, however fast the machine is.
const codeOf = (start: string): string =>
  `import { playground } from "turnwise";\nconst p = playground({ updates: 1_000_000, start: ${start} });`;

describe("playgrounds in several notebooks of JupyterLab", function () {
  it("runs in three notebooks at once: all train together, one is paused meanwhile, the others go on", async function () {
    this.timeout(600_000);
    const laboratory = await useLab(this);
    const open = (name: string, start: string): Promise<Panel> => Panel.open(laboratory, name, codeOf(start));
    const panel = await open("playground-1.ipynb", "{ seed: 1, optimizer: 'sgd', learningRate: 1e-3 }");
    const others = [
      await open("playground-2.ipynb", "{ seed: 2 }"),
      await open("playground-3.ipynb", "{ seed: 3, recipe: 'seeUpo' }"),
    ];
    for (const one of [panel, ...others]) await one.button("run").click();
    const together = await Promise.all(
      [panel, ...others].map((one) => one.says(/▶ running: [^]*?update [1-9]\d* of/)),
    );
    assert.equal(together.length, 3);
    await panel.button("pause").click();
    await panel.says(/❚❚ paused/);
    for (const one of others) {
      const before = await one.update();
      await one.curve((_, update) => update > before);
      await one.says(/▶ running/);
      assert.deepEqual(await one.lab.errors(), []);
    }
    for (const { lab } of [panel, ...others]) await lab.close();
  });
});
