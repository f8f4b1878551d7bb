import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cells = [
  'import { widgets } from "turnwise-kernel"',
  // A chart that is as high as the slider says.
  `const knob = new widgets.IntSlider({ value: 2, min: 0, max: 40, description: "height" });
const chart = (height: number) => svg(\`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="\${height}"/></svg>\`);
const chartId = display(chart(knob.value));
knob.observe("value", (height) => { display(chart(height), { id: chartId, update: true }) });
display(knob);`,
  `widgets.interact(({ n, squared }: any) => { console.log(squared ? n * n : n) }, { n: [0, 10], squared: false }); 0`,
  `const left = new widgets.IntSlider({ value: 3, max: 10, description: "left" });
const right = new widgets.IntText({ value: 0, description: "right" });
widgets.link(left, "value", right, "value");
new widgets.HBox({ children: [left, right] as never })`,
  `const button = new widgets.Button({ description: "count" });
const clicks = new widgets.Label({ value: "none" });
let count = 0;
button.on("click", () => { clicks.value = \`clicked \${++count}\` });
new widgets.VBox({ children: [button, clicks] as never })`,
  `const printed = new widgets.Output();
display(printed);
widgets.capture(printed, () => console.log("inside the output widget"));
console.log("below it");`,
  `new widgets.Tab({ titles: ["first", "second"], children: [new widgets.Label({ value: "on the first" }), new widgets.Label({ value: "on the second" })] as never })`,
  // A module written for anywidget: it asks the kernel for the sum, and counts its clicks in a trait.
  `const any = widgets.anyWidget({
  esm: \`export default {
    initialize({ model }) { model.set("ready", true); model.save_changes() },
    async render({ model, el, experimental }) {
      const button = document.createElement("button");
      button.className = "any-button";
      const [sum, buffers] = await experimental.invoke("sum", [1, 2], { signal: AbortSignal.timeout(60_000) });
      const show = () => { button.textContent = "sum " + sum + ", bytes " + buffers[0].getUint8(0) + ", clicks " + model.get("n") };
      button.onclick = () => {
        model.set("n", model.get("n") + 1);
        model.set("bytes", new Uint8Array([1, model.get("bytes").getUint8(0)]));
        model.save_changes();
      };
      model.on("change:n", show);
      model.on("msg:custom", (content) => { button.title = content.title });
      show();
      el.append(button);
    },
  }\`,
  css: ".any-button { font-weight: 700 }",
  state: { n: 0, ready: false, bytes: Uint8Array.of(5) },
  commands: { sum: (list: any) => [list[0] + list[1], [Uint8Array.of(7)]] },
});
any.on("change:n", () => { any.send({ title: "heard " + any.n + " " + any.ready + " " + [...any.bytes] }) });
any`,
  // Ends only when the person at the page has moved the slider.
  `const rate = new widgets.FloatSlider({ value: 0.1, min: 0, max: 1, step: 0.1, description: "rate" });
display(rate);
let weight = 0; let steps = 0;
console.log("training");
for (; rate.value < 0.75; steps++) { weight += rate.value; await new Promise((r) => setTimeout(r, 5)); }
\`trained \${steps > 0 && weight > 0}, rate \${rate.value.toFixed(1)}\``,
];

describe("widgets in JupyterLab", function () {
  this.timeout(180_000);
  let lab: LabPage;
  const open = async (laboratory: Laboratory): Promise<void> => {
    lab = await LabPage.open(laboratory, laboratory.write("widgets.ipynb", cells));
    for (const text of ["import { widgets", "const knob", "interact(", "const left", "const button"]) {
      await lab.run(lab.codeCell(text));
    }
    for (const text of ["const printed", "widgets.Tab(", "const any"]) await lab.run(lab.codeCell(text));
    await lab.idle(60_000);
    assert.deepEqual(await lab.errors(), []);
  };
  shared(open, () => (lab as LabPage | undefined)?.close());

  const handle = (cell: Locator): Locator => cell.locator(".noUi-handle").first();
  const value = async (cell: Locator): Promise<number> =>
    Number(await handle(cell).getAttribute("aria-valuenow"));
  /** The height that the chart shows now, read out of the picture in the page. */
  const waitForHeight = (test: string): Promise<number> =>
    lab.page
      .waitForFunction((condition) => {
        const image = document.querySelector<HTMLImageElement>('[data-mime-type="image/svg+xml"] img');
        const height = Number(
          /rect width="60" height="(\d+)"/.exec(decodeURIComponent(image?.src ?? ""))?.[1],
        );
        const holds = condition.startsWith(">")
          ? height > Number(condition.slice(1))
          : height === Number(condition);
        return holds ? height + 1 : 0;
      }, test)
      .then(async (found) => Number(await found.jsonValue()) - 1);

  it("a module written for anywidget draws, calls the kernel, and shares its state and messages", async () => {
    const button = lab.codeCell("const any").locator(".any-button");
    await button.filter({ hasText: "sum 3, bytes 7, clicks 0" }).waitFor();
    await button.click();
    await button.filter({ hasText: "clicks 1" }).waitFor();
    await lab.page.waitForFunction(
      () => document.querySelector<HTMLElement>(".any-button")?.title === "heard 1 true 1,5",
    );
    assert.equal(await button.evaluate((one) => getComputedStyle(one).fontWeight), "700");
  });

  it("a slider moved by keys and by the mouse moves a chart", async () => {
    const cell = lab.codeCell("const knob");
    await waitForHeight("2");
    await handle(cell).focus();
    await lab.page.keyboard.press("ArrowRight");
    await waitForHeight("3");
    // Half of the track, in whatever width the fonts leave it, is 20 of 40.
    await lab.drag(handle(cell), 0.5);
    assert.ok((await waitForHeight(">15")) > 15);
  });

  it("interact calls its function again at each change, and shows only the last run", async () => {
    const cell = lab.codeCell("interact(");
    const output = cell.locator(".widget-output, .jupyter-widget-output").first();
    await output.getByText("5", { exact: true }).waitFor();
    await cell.locator("input[type=checkbox]").check();
    await output.getByText("25", { exact: true }).waitFor();
    await handle(cell).focus();
    await lab.page.keyboard.press("ArrowRight");
    await output.getByText("36", { exact: true }).waitFor();
    assert.equal((await output.innerText()).trim(), "36");
  });

  it("linked widgets follow each other in both directions", async () => {
    const cell = lab.codeCell("const left");
    const field = cell.locator("input[type=number]");
    await handle(cell).focus();
    await lab.page.keyboard.press("ArrowRight");
    await lab.page.waitForFunction(
      (input) => (input as HTMLInputElement).value === "4",
      await field.elementHandle(),
    );
    await field.fill("9");
    await field.press("Enter");
    await cell.locator('.noUi-handle[aria-valuenow="9.0"]').waitFor();
    assert.equal(await value(cell), 9);
  });

  it("a button's clicks reach the kernel, and its answer the page", async () => {
    const cell = lab.codeCell("const button");
    const button = cell.getByRole("button", { name: "count" });
    await button.click();
    await cell.getByText("clicked 1").waitFor();
    await button.click();
    await cell.getByText("clicked 2").waitFor();
  });

  it("an output widget takes what is printed inside it, and nothing else", async () => {
    const cell = lab.codeCell("const printed");
    const inside = cell.locator(".widget-output, .jupyter-widget-output").first();
    await inside.getByText("inside the output widget").waitFor();
    assert.doesNotMatch(await inside.innerText(), /below it/);
    await lab.says(cell, /below it/);
  });

  it("tabs switch between their children", async () => {
    const cell = lab.codeCell("widgets.Tab(");
    await cell.locator(".widget-label", { hasText: "on the first" }).waitFor();
    await cell.locator(".lm-TabBar-tab", { hasText: "second" }).click();
    await cell.locator(".widget-label", { hasText: "on the second" }).waitFor();
    assert.equal(await cell.locator(".widget-label", { hasText: "on the first" }).isVisible(), false);
  });

  it("a slider steers a training loop that is under way", async () => {
    const cell = lab.codeCell("const rate");
    await lab.run(cell);
    await cell.getByText("training", { exact: true }).waitFor();
    await lab.running(cell);
    await handle(cell).focus();
    for (let i = 0; i < 7; i++) await lab.page.keyboard.press("ArrowRight");
    await cell.getByText("trained true, rate 0.8").waitFor();
  });

  it("widgets come back with their state when the page is loaded again", async () => {
    await lab.idle(60_000);
    const before = await value(lab.codeCell("const knob"));
    await lab.save();
    await lab.reload();
    const cell = lab.codeCell("const knob");
    await handle(cell).waitFor();
    assert.equal(await value(cell), before);
    await handle(cell).focus();
    await lab.page.keyboard.press("ArrowRight");
    const kept = await lab.runNew("knob.value");
    await kept.getByText(String(before + 1), { exact: true }).waitFor();
  });
});
