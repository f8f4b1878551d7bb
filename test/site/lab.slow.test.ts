import assert from "node:assert/strict";
import type { BrowserContext, Locator } from "playwright-core";
import { serveSite, sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { LabPage } from "../browser/labPage.js";
import { allCells, expectLedger, patientPage, untilChecked } from "./siteLab.js";

const lesson = "notebooks/00-start-here.ipynb";
const exercise = "notebooks/exercises/00-one-knob.ipynb";

describe("the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  let lab: LabPage;
  let lesson00: LabPage;

  /** Opens a notebook of the site in Lab by its address, as on a first visit or where the browser knows the site. */
  const open = async (notebook: string, at = shared().site, known?: BrowserContext): Promise<LabPage> => {
    const context = known ?? (await shared().browser.newContext());
    return LabPage.open(
      {
        newPage: () => patientPage(context),
        address: (name) => `${at.address}lab/index.html?path=${name}`,
        endKernel: () => context.close(),
      },
      notebook,
    );
  };
  const says = (cell: Locator, text: string | RegExp): Promise<void> =>
    cell
      .locator(".jp-OutputArea-output", { hasText: text })
      .first()
      .waitFor({ timeout: patient(30_000) });

  before(async () => {
    lab = await open(exercise);
    await allCells(lab, exercise);
  });
  after(() => (lab as LabPage | undefined)?.close());

  it("has nothing to save of a notebook that was only opened, once its kernel has come", async () => {
    lesson00 = await open(lesson);
    await allCells(lesson00, lesson);
    await lesson00.idle(60_000);
    // What must not happen has no event: by then Jupyter has written what the kernel says of itself into the notebook, and pictures
    // of the charts that show.
    await lesson00.page.waitForTimeout(3_000);
    for (const opened of [lab, lesson00]) {
      assert.equal(await opened.page.locator(".jp-mod-dirty").count(), 0);
      await opened.writeNew("'what the reader writes'");
      await opened.page.locator(".jp-mod-dirty").first().waitFor();
    }
  });

  it("says where controls will be, instead of an error, before their cell has run", async () => {
    const told = lesson00.page.locator(".jp-OutputArea-output", {
      hasText: "Run this cell to see its controls.",
    });
    await told.first().waitFor({ state: "attached" });
  });

  it("runs cells, and keeps what they declare", async () => {
    await says(await lab.runNew("let kept = 6 * 7;\nkept"), "42");
    await says(await lab.runNew("kept + 1"), "43");
  });

  it("has the timers and microtasks of a browser, which can be called off", async () => {
    await says(
      await lab.runNew(
        "clearTimeout(setTimeout(() => console.log('never'), 1));\n" +
          "await new Promise<void>((done) => queueMicrotask(done));\n`off and done`",
      ),
      "off and done",
    );
  });

  it("reports a type error before the cell runs, once the types have been loaded", async () => {
    const cell = await lab.runNew("const wrong: number = 'text';\n'it ran'");
    await untilChecked(lab, cell, "Type 'string' is not assignable to type 'number'");
    assert.doesNotMatch(await lab.output(cell), /it ran/);
  });

  it("drops the cells that wait behind an error", async () => {
    // It fails when the slider is moved, which is when the other cell is known to wait.
    const slow = await lab.runNew(
      'import { widgets } from "turnwise-kernel";\n' +
        "const gate = new widgets.IntSlider({ value: 1, max: 10 }); display(gate);\n" +
        "while (gate.value < 2) await new Promise((done) => setTimeout(done, 20));\nthrow new Error('stop here');",
    );
    await slow.locator(".noUi-handle").waitFor();
    const waiting = await lab.runNew("console.log('must not run')");
    await lab.running(waiting);
    await slow.locator(".noUi-handle").focus();
    await lab.page.keyboard.press("ArrowRight");
    await says(slow, "stop here");
    await lab.idle(30_000);
    assert.equal(await lab.output(waiting), "");
  });

  it("moves a slider while a cell trains: the cell hears of it", async () => {
    const cell = await lab.runNew(
      'import { train } from "turnwise";\nimport { widgets } from "turnwise-kernel";\n' +
        "const rate = new widgets.IntSlider({ value: 1, max: 10 }); display(rate);\n" +
        'for await (const { update } of train({ env: "LookUp-v0", recipe: "grpo", updates: 1_000_000 }))\n' +
        "  if (update > 1 && rate.value >= 3) break;\n`moved to ${rate.value}`",
    );
    await cell.locator(".noUi-handle").focus();
    await lab.page.keyboard.press("ArrowRight");
    await lab.page.keyboard.press("ArrowRight");
    await says(cell, "moved to 3");
  });

  it("interrupts loops, also of plain arithmetic, and an await, and the variables stay", async () => {
    for (const code of [
      'let turns = 0;\nconsole.log("begun");\nfor (;;) turns++;',
      'const sums = new Float32Array(8);\nconsole.log("begun");\nfor (let i = 0; i < 1e15; i++) sums[i & 7]! += i;',
    ]) {
      const loop = await lab.runNew(code);
      // A cell that is interrupted before its code runs declares nothing.
      await says(loop, "begun");
      await lab.interrupt();
      await says(loop, "KernelInterrupt");
    }
    const wait = await lab.runNew("await new Promise(() => {});");
    await lab.running(wait);
    await lab.interrupt();
    await says(wait, "KernelInterrupt");
    await says(await lab.runNew("`turns is a ${typeof turns}`"), "turns is a number");
  });

  it("ends the worker of a cell that hears nothing, but only after a warning", async () => {
    const cell = await lab.runNew("/^(a+)+$/.test('a'.repeat(60) + 'b')");
    await lab.running(cell);
    await lab.interrupt();
    await says(
      cell,
      "Interrupt once more to replace its session with a fresh one; all variables are lost then.",
    );
    await lab.interrupt();
    await says(cell, "A new one has been started; all variables are gone");
    await says(await lab.runNew("`${6 * 7} again`"), "42 again");
  });

  it("runs the first lesson to its end, playground included; its page shows the ledger of Node", async () => {
    await lesson00.runAll(90_000);
    assert.deepEqual(await lesson00.errors(), []);
    await lesson00.page
      .locator(".jp-OutputArea-output", { hasText: "The playground is shown above." })
      .waitFor();
    await expectLedger(lesson00, "00-start-here");
    await lesson00.close();
  });

  it("opens what was opened before when the network is gone, and runs it", async function () {
    const other = await serveSite(this);
    const visited = await open(exercise, other);
    await allCells(visited, exercise);
    await says(await visited.runNew("`${6 * 7} online`"), "42 online");
    await other.close();
    const again = await open(exercise, other, visited.page.context());
    await allCells(again, exercise);
    await says(await again.runNew("`${6 * 8} offline`"), "48 offline");
    await again.close();
  });
});
