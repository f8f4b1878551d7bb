import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { root } from "../support/paths.js";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

/** Where the test writes what it saw. */
const seen = path.join(root, "build", "screenshots");

const files = ["idea.ts", "idea.svg", "idea.png", "idea.csv"] as const;

/** What she types, one cell after the other. */
const cells = {
  module: `%%module idea.ts
import { custom, groupAdvantage, recipe } from "turnwise";

export const row = recipe("drGrpo", {
  update: { optimizer: { kind: "sgd", learningRate: 8 } },
  advantage: custom("squashed", ({ return_n, groupId }) =>
    groupAdvantage(return_n, groupId, { baseline: "mean", scale: "none" }).map(Math.tanh),
  ),
});`,
  check: `import { checkRule, learningCurve, liveCurve, readRecords, trainSeeds } from "turnwise";
checkRule(row)`,
  // So many seeds that the button always comes before their end; then a few more than were finished.
  train: `const setting = { env: "LookUp-v0", policy: { syntaxPrior: 3 }, recipe: row, updates: 60 } as const;
const growing = liveCurve({ metric: "reward/mean", optimum: 1, total: 60 });
const some = await trainSeeds(setting, 1_000, { workers: 2, chart: growing });`,
  resume: `const all = await trainSeeds(setting, [...some.seeds, 998, 999], { workers: 2, resume: some });
const chart = learningCurve(all, { metric: "reward/mean", optimum: 1, title: "An idea of my own" });
await chart.save("idea.svg");
await chart.save("idea.png");
await all.save("idea.csv");
chart`,
  read: `learningCurve(await readRecords("idea.csv"), { metric: "reward/mean", optimum: 1 })`,
} as const;

describe("a researcher with an idea in JupyterLab", function () {
  this.timeout(300_000);
  let lab: LabPage;
  let at: (file: string) => string;
  const open = async (laboratory: Laboratory): Promise<void> => {
    at = (file) => path.join(laboratory.lab.notebooks, file);
    for (const file of files) fs.rmSync(at(file), { force: true });
    lab = await LabPage.open(laboratory, laboratory.write("idea.ipynb", [""]));
  };
  shared(open, () => (lab as LabPage | undefined)?.close());

  afterEach(async function () {
    if (this.currentTest?.state !== "failed") return;
    fs.mkdirSync(seen, { recursive: true });
    await lab.page.screenshot({ path: path.join(seen, "idea-failed.png") }).catch(() => undefined);
  });

  /** The description of a cell's chart, as a screen reader reads it. */
  const chartOf = (cell: Locator): Promise<string> =>
    cell.locator(".vega-embed [aria-label]").first().getAttribute("aria-label").then(String);

  it("writes a rule into a module, and reads on its card that it is one", async () => {
    const module = await lab.runNew(cells.module);
    await module.getByText("idea.ts is written; imported row").waitFor();
    const card = await lab.runNew(cells.check);
    await card.getByText('Dr. GRPO with "squashed": no fault found').waitFor();
  });

  it("sees the bands of seeds and a bar grow, stops them with the button, and keeps the finished ones", async () => {
    const train = await lab.runNew(cells.train);
    await train
      .getByText(/: (?:[2-9]|\d{2,}) of 1,?000 seeds/)
      .first()
      .waitFor();
    await train.locator("progress").waitFor();
    assert.match(await chartOf(train), /^Live learning curve of reward\/mean/);
    await lab.screenshot(path.join(seen, "seeds-training.png"));
    await lab.interrupt();
    await train.getByText("KernelInterrupt").first().waitFor();
    await train.getByText(/Interrupted: \d+ of 1,?000 seeds are finished and kept/).waitFor();
    await lab.idle(60_000);
  });

  it("goes on with others, draws all of them, and finds the files beside the notebook", async () => {
    const kept = Number(
      /Interrupted: (\d+) of 1,?000/.exec(await lab.output(lab.codeCell("const growing")))![1],
    );
    assert.ok(kept >= 2 && kept < 998, String(kept));
    const resume = await lab.runNew(cells.resume);
    await resume.locator(".vega-embed").waitFor();
    await lab.idle(120_000);
    assert.equal(await resume.locator("progress").count(), 0, "a finished bar goes away");
    assert.match(await chartOf(resume), /^Learning curve of reward\/mean .* after 60 updates/);
    assert.match(
      fs.readFileSync(at("idea.svg"), "utf8"),
      new RegExp(`^<svg[^]*mean over ${String(kept + 2)} seeds, band: 95 % bootstrap interval`),
    );
    assert.equal(fs.readFileSync(at("idea.csv"), "utf8").trim().split("\n").length, 1 + (kept + 2) * 60);
    assert.ok(fs.statSync(at("idea.png")).size > 1000);
    // Without it the list is renewed every ten seconds.
    await lab.page.locator(".jp-BreadCrumbs-home").first().click();
    for (const file of files) await lab.page.locator(".jp-DirListing-itemText", { hasText: file }).waitFor();
    const read = await lab.runNew(cells.read);
    await read.locator(".vega-embed").waitFor();
    const card = await lab.runNew("all");
    await card.getByText(`${String(kept + 2)} seeds, 60 updates each`).waitFor();
  });

  it("can read it in the light and in the dark theme", async () => {
    const { page } = lab;
    await page.setViewportSize({ width: 1280, height: 1600 });
    for (const [theme, file] of [
      ["JupyterLab Light", "idea.png"],
      ["JupyterLab Dark", "idea-dark.png"],
    ] as const) {
      await lab.theme(theme);
      // JupyterLab draws a chart in the theme of its time.
      const chart = await lab.runNew("chart");
      await chart.locator(".vega-embed").waitFor();
      for (const cell of [lab.codeCell("checkRule(row)"), chart]) {
        const { contrast, text } = await lab.leastContrast(cell.locator(".jp-OutputArea-output").last());
        // What WCAG asks of text, and of signs.
        const enough = /^[✓✗·]$/.test(text) ? 3 : 4.5;
        assert.ok(contrast >= enough, `${theme}: "${text}" has a contrast of ${contrast.toFixed(2)}`);
      }
      await lab.screenshot(path.join(seen, file));
    }
  });
});
