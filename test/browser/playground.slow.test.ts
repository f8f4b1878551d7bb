/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { Panel } from "./playgroundPanel.js";

/** Where the test writes what it saw; UPDATE_SCREENSHOTS=1 also renews the light one, which the README shows. */
const seen = path.join(root, "build", "screenshots");
const committed = path.join(root, "test", "browser", "screenshots");
const begin = 'import { playground } from "turnwise";';

describe("the playground in JupyterLab", function () {
  this.timeout(300_000);
  let laboratory: Laboratory;
  const notebook = "playground.ipynb";
  /** The notebook's first cell; other playgrounds are cells below it. */
  let panel: Panel;
  /** One whose step is so small that the curve stays where it begins, until somebody drags the slider. It does not end by itself. */
  let stuck: Panel;
  shared(
    async (one) => {
      laboratory = one;
      panel = await Panel.open(laboratory, notebook, `${begin}\nconst p = playground({});`);
      await panel.page.setViewportSize({ width: 1366, height: 768 });
    },
    () => (panel as Panel | undefined)?.lab.close(),
  );

  afterEach(async function () {
    if (this.currentTest?.state !== "failed") return;
    fs.mkdirSync(seen, { recursive: true });
    await panel.page.screenshot({ path: path.join(seen, "playground-failed.png") }).catch(() => undefined);
  });

  /** Whether all of it is in view at once, and the controls are left of what is shown. */
  async function expectOneScreen(one: Panel): Promise<void> {
    await one.cell.evaluate((cell) => cell.scrollIntoView({ block: "start" }));
    const place = await one.live.evaluate((live) => {
      const area = document.querySelector(".jp-WindowedPanel-outer, .jp-NotebookPanel-notebook")!;
      const parts = [...live.querySelectorAll("*")].filter((part) => part.getClientRects().length > 0);
      const boxes = parts.map((part) => part.getBoundingClientRect());
      const edge = (selector: string): DOMRect => live.querySelector(selector)!.getBoundingClientRect();
      return {
        top: Math.min(...boxes.map(({ top }) => top)),
        bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
        right: Math.max(...boxes.map(({ right }) => right)),
        area: area.getBoundingClientRect().toJSON() as DOMRect,
        scrolls: parts.filter(
          (part) => part.scrollHeight > part.clientHeight + 1 && getComputedStyle(part).overflowY === "auto",
        ).length,
        slider: edge(".noUi-base").right,
        picture: edge("svg[role=img]").left,
      };
    });
    const { top, bottom, right, area } = place;
    assert.ok(top >= area.top, `begins at ${String(top)}, above ${String(area.top)}`);
    assert.ok(bottom <= area.bottom, `ends at ${String(bottom)}, below ${String(area.bottom)}`);
    assert.ok(right <= area.right, `reaches to ${String(right)}, beyond ${String(area.right)}`);
    assert.ok(place.slider < place.picture, "the controls are left of the picture");
    assert.equal(place.scrolls, 0);
  }

  it("looks as it should in the light and in the dark theme", async () => {
    const { lab, cell } = panel;
    await panel.button("run").click();
    await panel.says(/paused: .* update 400 of 400/);
    await panel.curve((value, update) => value > 0.9 && update === 400);
    // A slider whose number stands between two marks was not moved by being shown.
    const solved = await panel.shown();
    assert.match(solved, /the rule as it stands in the table/);
    // Solved: no alarm, and no speed of what does not run.
    assert.doesNotMatch(solved, /⚠|updates\/s/);
    for (const [theme, name] of [
      ["JupyterLab Dark", "playground-dark.png"],
      ["JupyterLab Light", "playground.png"],
    ] as const) {
      await lab.theme(theme);
      const { contrast, text } = await lab.leastContrast(panel.live);
      // What WCAG asks of text.
      assert.ok(contrast >= 4.5, `${theme}: "${text}" has a contrast of ${contrast.toFixed(2)}`);
      await cell.evaluate((element) => element.scrollIntoView({ block: "start" }));
      await lab.screenshot(path.join(seen, name));
      if (process.env.UPDATE_SCREENSHOTS && name === "playground.png")
        fs.copyFileSync(path.join(seen, name), path.join(committed, name));
    }
  });

  it("fits on a laptop's screen of 1366 x 768 beside Lab's file browser, with chart, gauges and film", async () => {
    await panel.says(/paused: .* update 400 of 400/);
    await panel.says(/reward\/mean/);
    await expectOneScreen(panel);
    await panel.lab.screenshot(path.join(seen, "playground-laptop.png"));
    await panel.button("restart").click();
    for (let picture = 1; picture <= 5; picture++) {
      await panel.button("step").click();
      await panel.says(new RegExp(`Update 1, picture ${String(picture)} of 5`));
      await expectOneScreen(panel);
      await panel.lab.screenshot(path.join(seen, `playground-film-${String(picture)}.png`));
    }
  });

  it("shows its curve above its controls on a phone, as wide as the page", async () => {
    const { page, live } = panel;
    await page.setViewportSize({ width: 390, height: 844 });
    const seen = await live.evaluate((one) => {
      const curve = one.querySelector("svg[role=img]")!.getBoundingClientRect();
      const slider = one.querySelector(".noUi-base")!.getBoundingClientRect();
      const output = one.closest(".jp-OutputArea-output")!;
      return {
        width: curve.width,
        bottom: curve.bottom,
        slider: slider.top,
        room: output.clientWidth,
        scrolls: output.scrollWidth > output.clientWidth + 1,
      };
    });
    await page.setViewportSize({ width: 1366, height: 768 });
    // A curve of 40 px beside nineteen controls is no curve.
    assert.ok(seen.width > 0.9 * seen.room, JSON.stringify(seen));
    assert.ok(seen.bottom <= seen.slider, JSON.stringify(seen));
    assert.equal(seen.scrolls, false);
  });

  it("shows one update as a film with the record's numbers, on and back", async () => {
    await panel.button("restart").click();
    await panel.button("step").click();
    await panel.says(/Update 1, picture 1 of 5: Rollout/);
    const rewards = /Mean reward: (−?[\d.]+)\./.exec(await panel.shown())![1]!.replace("−", "-");
    const told = await panel.lab.runNew('p.records[0].metrics["reward/mean"]!.toFixed(3)');
    await told.locator(".jp-OutputArea-output").waitFor();
    assert.equal(Number(/-?\d\.\d+/.exec(await panel.lab.output(told))![0]), Number(rewards));
    await panel.button("step").click();
    await panel.says(/picture 2 of 5: Advantages/);
    await panel.button("back").click();
    await panel.says(/picture 1 of 5: Rollout/);
    await panel.button("run").click();
    await panel.curve((_, update) => update >= 5);
  });

  it("gives every control a name and a place in the order of Tab", async () => {
    const { live } = panel;
    for (const name of ["run", "pause", "step", "back", "restart", "as in the rule"])
      await panel.button(name).waitFor();
    for (const name of ["env", "recipe", "advantage", "gate", "optimizer"]) await panel.menu(name).waitFor();
    for (const name of ["speed", "learningRate", "seed"]) assert.equal(await panel.handle(name).count(), 1);
    const unreachable = await live
      .locator("button, select, input, [role=slider]")
      .evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex < 0).length);
    assert.equal(unreachable, 0);
    assert.match(
      (await live.locator("svg[role=img]").first().getAttribute("aria-label"))!,
      /^Live learning curve of /,
    );
  });

  it("clears the chart when another world is chosen", async () => {
    await panel.button("restart").click();
    await panel.button("run").click();
    await panel.curve((_, update) => update >= 5);
    await panel.menu("env").selectOption("MatrixChain-v0");
    await panel.says(/MatrixChain-v0, grpo, update \d+ of 400/);
    await panel.until(
      (shown) => !/Live learning curve[^;]*,[^;]* after update/.test(shown) && /MatrixChain-v0/.test(shown),
    );
    await panel.says(/paused: MatrixChain-v0, grpo, update 400 of 400/);
    await panel.menu("env").selectOption("LookUp-v0");
    await panel.says(/paused: LookUp-v0, grpo, update 0 of 400[^]*No records yet/);
  });

  it("names curves by what they differ in", async () => {
    await panel.button("restart").click();
    await panel.button("run").click();
    await panel.says(/paused: .* update 400 of 400/);
    await panel.menu("recipe").selectOption("rloo");
    await panel.says(/LookUp-v0, rloo/);
    await panel.button("restart").click();
    await panel.button("run").click();
    await panel.says(
      /paused: .* update 400 of 400[^]* grpo: \d\.\d+ after update 400, rloo: \d\.\d+ after update 400/,
    );
    await panel.menu("recipe").selectOption("grpo");
  });

  it("keeps the training when a seed is moved, and marks the button that applies it", async () => {
    await panel.button("restart").click();
    await panel.button("step").click();
    await panel.says(/update 1 of 400/);
    await panel.lab.drag(panel.handle("seed"), 0.5);
    await panel.says(/restart to apply: seed \d+/);
    await panel.says(/update 1 of 400/);
    const marked = panel.button("restart to apply");
    await marked.and(panel.page.locator(".mod-warning")).waitFor();
    await marked.click();
    await panel.says(/update 0 of 400/);
    await panel.button("restart").and(panel.page.locator(":not(.mod-warning)")).waitFor();
    const seed = await panel.handle("seed").getAttribute("aria-valuenow");
    await panel.code(new RegExp(`seed: ${String(Math.round(Number(seed)))} `));
    await panel.until((shown) => !shown.includes("restart to apply"));
  });

  it("tells what does not fit together, marks the button that takes it back, and trains on", async () => {
    await panel.button("restart").click();
    await panel.button("step").click();
    await panel.says(/update 1 of 400/);
    await panel.menu("pooling").selectOption("product");
    await panel.says(/⚠ Cannot .*pooling[^]*Training goes on without it/);
    await panel.live.getByRole("alert").waitFor();
    await panel.button("as in the rule").and(panel.page.locator(".mod-warning")).click();
    await panel.until((shown) => !shown.includes("⚠"));
    await panel.button("step").click();
    await panel.says(/Update 1, picture 2 of 5|update 2 of 400/);
  });

  it("trains as fast as the speed allows", async () => {
    await panel.button("restart").click();
    // To the left end: one update a second.
    await panel.lab.drag(panel.handle("speed"), -1.2);
    await panel.button("run").click();
    const [, rate, most] = await panel.says(/running: [^]*?, ([\d.]+) updates\/s \(at most ([\d.]+)\)/);
    assert.ok(Number(most) < 2, most);
    assert.ok(Number(rate) < 3, rate);
    await panel.button("pause").click();
    await panel.says(/❚❚ paused/);
    assert.doesNotMatch(await panel.shown(), /updates\/s/);
    await panel.lab.drag(panel.handle("speed"), 1.2);
  });

  it("gives a steered run as a line of code that draws the same curve in a cell", async () => {
    const { lab } = panel;
    // To the last bit, not only to the digits that are drawn.
    const bits = async (): Promise<string> => {
      const cell = await lab.runNew(
        "JSON.stringify(p.records.map(({ metrics }) => metrics)).length + ' ' + p.records.at(-1)!.metrics['policy/loss']",
      );
      await cell.locator(".jp-OutputArea-output").waitFor();
      return lab.output(cell);
    };
    const curve = /(?<=update 150 of 150[^]*)Live learning curve.* after update 150.*/;
    const one = await Panel.add(
      lab,
      `${begin}\nconst p = playground({ updates: 150, start: { seed: 2 } });\nawait p.run(20);`,
      "await p.run(20)",
    );
    // The cell has run twenty updates by itself.
    await lab.drag(one.handle("learningRate"), 0.4);
    await one.says(/changed: .*learningRate/);
    await one.button("run").click();
    const [drawn] = await one.says(curve);
    const code = await one.code(/changes: \[\{ after: 20, learningRate: /);
    const expected = await bits();
    const other = await Panel.add(lab, code, "changes: [{ after: 20");
    await other.button("run").click();
    const [same] = await other.says(curve);
    assert.equal(same, drawn);
    assert.equal(await bits(), expected);
  });

  it("opens in a second cell while the first stands", async () => {
    const code = `${begin}\nconst stuck = playground({ updates: 1_000_000, start: { seed: 1, optimizer: 'sgd', learningRate: 1e-3 } });`;
    stuck = await Panel.add(panel.lab, code, "const stuck");
  });

  it("a slider dragged during training bends the curve", async () => {
    await stuck.button("run").click();
    await stuck.curve((value, update) => update >= 50 && value < 0.1);
    // The slider goes over five powers of ten, in whatever width the fonts leave it: 0.65 of it lead from 0.001 to about 2.
    await stuck.lab.drag(stuck.handle("learningRate"), 0.65);
    await stuck.curve((value) => value > 0.8);
    await stuck.says(/changed: .*learningRate: 0\.03 → [1-3]\b/);
    await stuck.says(/▶ running/);
  });

  it("pauses at once, goes on where it was, and begins again with restart", async () => {
    await stuck.startAnew();
    await stuck.button("pause").click();
    await stuck.says(/❚❚ paused/);
    const at = await stuck.update();
    const more = await stuck.lab.runNew(
      "const before = stuck.records.length;\n" +
        "for (let turn = 0; turn < 300; turn++) await new Promise((next) => setImmediate(next));\n" +
        "`${stuck.records.length - before} more`",
    );
    await stuck.lab.says(more, /0 more/);
    assert.equal(await stuck.update(), at);
    await stuck.button("run").click();
    await stuck.says(/▶ running/);
    await stuck.until((shown) => Number(/update (\d+) of/.exec(shown)?.[1]) > at);
    await stuck.button("restart").click();
    await stuck.says(/paused: .* update 0 of 1000000/);
  });

  it("is worked by the keyboard alone: Tab to a button, Space presses it, arrow keys move a slider", async () => {
    const { page } = stuck;
    // To the left end: at full speed, the page draws so much that each Tab takes long.
    await stuck.lab.drag(stuck.handle("speed"), -1.2);
    // The notebook is in command mode; the cell's own editor would take the Tab.
    await page.keyboard.press("Escape");
    await stuck.button("restart").click();
    await stuck.says(/paused: .* update 0 of/);
    await stuck.tabTo(stuck.button("run"), "Shift+Tab");
    await page.keyboard.press("Space");
    await stuck.says(/▶ running/);
    const slider = stuck.handle("entropyCoef");
    await stuck.tabTo(slider);
    assert.equal(Number(await slider.getAttribute("aria-valuenow")), 0);
    for (let k = 0; k < 3; k++) await page.keyboard.press("ArrowRight");
    await stuck.says(/changed: .*entropyCoef: 0 → 0\.003/);
    await stuck.tabTo(stuck.button("pause"), "Shift+Tab");
    await page.keyboard.press("Space");
    await stuck.says(/❚❚ paused/);
    await stuck.tabTo(stuck.button("as in the rule"));
    await page.keyboard.press("Space");
    await stuck.says(/the rule as it stands in the table/);
    assert.equal(Number(await slider.getAttribute("aria-valuenow")), 0);
  });

  it("leaves room for a question: help shows a rule's equation set as mathematics, and a function's as it stands", async () => {
    const { lab, page } = panel;
    const rule = await lab.runNew('help("seeUpo")');
    await rule.locator(".jp-RenderedMarkdown mjx-container").first().waitFor();
    const name = await lab.runNew('help("groupAdvantage")');
    await name.locator(".jp-RenderedMarkdown code", { hasText: "A_i = R_i - mean_group(R)" }).waitFor();
    assert.deepEqual(await lab.errors(), []);
    await page.keyboard.press("Escape");
  });

  it("leaves a picture in a saved notebook that says how to start it again", async () => {
    await stuck.button("pause").click();
    await panel.button("restart").click();
    await panel.button("run").click();
    await panel.says(/paused: .* update 400 of 400/);
    const stored = panel.cell.locator('[class*="turnwise-stored-"]');
    assert.equal(await stored.isVisible(), false);
    // The picture follows within two seconds.
    await stored.locator('svg[aria-label*="after update 400"]').waitFor({ state: "attached" });
    await panel.lab.save();
    const file = fs.readFileSync(path.join(laboratory.lab.notebooks, notebook), "utf8");
    assert.match(file, /A stored picture of a playground/);
  });

  it("gives way to its picture when the kernel is restarted", async () => {
    await panel.lab.menu("Kernel", "Restart Kernel…");
    await panel.page.locator(".jp-Dialog .jp-mod-warn, .jp-Dialog .jp-mod-accept").last().click();
    await panel.cell.getByText("A stored picture of a playground").waitFor();
    await panel.button("run").waitFor({ state: "hidden" });
  });

  it("has no controls that look alive in a saved notebook that is opened with another kernel, until its cell runs", async () => {
    const { lab, cell } = panel;
    await lab.reload();
    await cell.getByText("A stored picture of a playground").waitFor();
    await cell.getByText("run this cell (Shift+Enter)").waitFor();
    await cell.locator('svg[aria-label*="after update 400"]').waitFor();
    const output = cell.locator(".jp-OutputArea");
    assert.equal(await output.locator("button:visible, select:visible, [role=slider]:visible").count(), 0);
    assert.doesNotMatch(await output.innerText(), /model not found|Loading widget/);
    await lab.screenshot(path.join(seen, "playground-stored.png"));
    await lab.run(cell);
    await cell.getByRole("button", { name: "run", exact: true }).waitFor();
    await cell.getByText("A stored picture of a playground").waitFor({ state: "hidden" });
  });
});
