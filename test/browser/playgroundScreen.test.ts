/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";
import { Panel } from "./playgroundPanel.js";

const seen = path.join(root, "build", "screenshots");
const begin = 'import { playground } from "turnwise";';

describe("the playground's screen in JupyterLab", function () {
  this.timeout(300_000);
  let laboratory: Laboratory;
  let panel: Panel;
  const openFirst = async (one: Laboratory): Promise<void> => {
    laboratory = one;
    fs.mkdirSync(seen, { recursive: true });
    panel = await Panel.open(laboratory, "playground-screen.ipynb", `${begin}\nconst p = playground({});`);
    await panel.page.setViewportSize({ width: 1366, height: 768 });
  };
  shared(this, openFirst, () => (panel as Panel | undefined)?.lab.close());

  afterEach(async function () {
    if (this.currentTest?.state === "failed")
      await panel.page.screenshot({ path: path.join(seen, "screen-failed.png") }).catch(() => undefined);
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

  it("fits on a laptop's screen of 1366 x 768 beside Lab's file browser, with chart, gauges and film", async () => {
    await panel.button("run").click();
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
    for (const name of ["run", "pause", "step", "back", "restart", "as in the row"])
      await panel.button(name).waitFor();
    for (const name of ["env", "recipe", "advantage", "gate", "optimiser"]) await panel.menu(name).waitFor();
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
    assert.match(await panel.code(), new RegExp(`seed: ${String(Math.round(Number(seed)))} `));
    assert.doesNotMatch(await panel.shown(), /restart to apply/);
  });

  it("tells what does not fit together, marks the button that takes it back, and trains on", async () => {
    await panel.button("restart").click();
    await panel.button("step").click();
    await panel.says(/update 1 of 400/);
    await panel.menu("pooling").selectOption("product");
    await panel.says(/⚠ Cannot .*pooling[^]*Training goes on without it/);
    await panel.live.getByRole("alert").waitFor();
    await panel.button("as in the row").and(panel.page.locator(".mod-warning")).click();
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
    const one = await Panel.open(
      laboratory,
      "playground-share.ipynb",
      `${begin}\nconst p = playground({ updates: 150, start: { seed: 2 } });\nawait p.run(20);`,
    );
    // The cell has run twenty updates by itself.
    await one.lab.drag(one.handle("learningRate"), 0.4);
    await one.says(/changed: .*learningRate/);
    await one.button("run").click();
    const [drawn] = await one.says(/(?<=update 150 of 150[^]*)Live learning curve.* after update 150.*/);
    const code = await one.code();
    assert.match(code, /changes: \[\{ after: 20, learningRate: /);
    const other = await Panel.open(laboratory, "playground-shared.ipynb", code);
    await other.button("run").click();
    const [same] = await other.says(/(?<=update 150 of 150[^]*)Live learning curve.* after update 150.*/);
    assert.equal(same, drawn);
    // To the last bit, not only to the digits that are drawn.
    const bits =
      "JSON.stringify(p.records.map(({ metrics }) => metrics)).length + ' ' + p.records.at(-1)!.metrics['policy/loss']";
    const values = await Promise.all(
      [one, other].map(async ({ lab }) => {
        const cell = await lab.runNew(bits);
        await cell.locator(".jp-OutputArea-output").waitFor();
        return lab.output(cell);
      }),
    );
    assert.equal(values[1], values[0]);
    await one.lab.close();
    await other.lab.close();
  });

  it("leaves a picture in a saved notebook that says how to start it again, and no controls that look alive", async () => {
    const name = laboratory.write("playground-saved.ipynb", [
      `${begin}\nconst p = playground({ updates: 40 });`,
    ]);
    const one = await Panel.opened(laboratory, name);
    const stored = one.cell.locator('[class*="turnwise-stored-"]');
    assert.equal(await stored.isVisible(), false);
    await one.button("run").click();
    await one.says(/paused: .* update 40 of 40/);
    // The picture follows within two seconds.
    await stored.locator('svg[aria-label*="after update 40"]').waitFor({ state: "attached" });
    await one.lab.save();
    await one.lab.close();
    const file = fs.readFileSync(path.join(laboratory.lab.notebooks, name), "utf8");
    assert.match(file, /A stored picture of a playground/);
    // Another kernel, which knows nothing of it.
    const lab = await LabPage.open(laboratory, name);
    const cell = lab.codeCell("playground({");
    await cell.getByText("A stored picture of a playground").waitFor();
    await cell.getByText("run this cell (Shift+Enter)").waitFor();
    const picture = cell.locator('svg[aria-label*="after update 40"]');
    await picture.waitFor();
    const output = cell.locator(".jp-OutputArea");
    assert.equal(await output.locator("button:visible, select:visible, [role=slider]:visible").count(), 0);
    assert.doesNotMatch(await output.innerText(), /model not found|Loading widget/);
    await lab.screenshot(path.join(seen, "playground-stored.png"));
    await lab.run(cell);
    await cell.getByRole("button", { name: "run", exact: true }).waitFor();
    await cell.getByText("A stored picture of a playground").waitFor({ state: "hidden" });
    await lab.close();
  });

  it("gives way to its picture when the kernel is restarted", async () => {
    const one = await Panel.open(
      laboratory,
      "playground-restarted.ipynb",
      `${begin}\nconst p = playground({ updates: 40 });`,
    );
    await one.button("run").click();
    await one.says(/paused: .* update 40 of 40/);
    await one.lab.menu("Kernel", "Restart Kernel…");
    await one.page.locator(".jp-Dialog .jp-mod-warn, .jp-Dialog .jp-mod-accept").last().click();
    await one.cell.getByText("A stored picture of a playground").waitFor();
    await one.button("run").waitFor({ state: "hidden" });
    await one.lab.close();
  });
});
