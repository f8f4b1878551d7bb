import assert from "node:assert/strict";
import { patient } from "../support/patient.js";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cell = `function norm(x: number, y: number): number {
  const square: number = x ** 2 + y ** 2;
  return Math.sqrt(square);
}
norm(3, 4)`;

describe("the debugger of JupyterLab", function () {
  this.timeout(180_000);
  let lab: LabPage | undefined;
  const open = async (laboratory: Laboratory): Promise<void> => {
    lab = await LabPage.open(laboratory, laboratory.write("debugger.ipynb", [cell]));
  };
  shared(open, () => lab?.close());

  it("stops in a TypeScript cell, shows line, stack and variables, steps and goes on", async () => {
    assert.ok(lab);
    const { page } = lab;
    const bug = page.locator(".jp-DebuggerBugButton");
    const attached = page.locator(".jp-DebuggerBugButton[aria-pressed=true]");
    const code = lab.codeCell("function norm");
    const gutter = code.locator(".cm-breakpoint-gutter .cm-gutterElement").nth(3);
    const breakpoint = page.locator(".jp-DebuggerBreakpoint").first();
    // The page loses a click that comes before it has asked the kernel for its debugger, and shows nothing of that.
    // It also answers late where the machine is busy, and a second click takes the first one back, even after the button was
    // pressed: only a breakpoint in the list shows that the debugger stayed on. Waits grow.
    for (let wait = 3_000; (await breakpoint.count()) === 0; wait *= 2) {
      const timeout = patient(wait);
      if ((await attached.count()) === 0) {
        await bug.click();
        await attached.waitFor({ timeout }).catch(() => undefined);
      }
      await gutter.click({ timeout }).catch(() => undefined);
      await breakpoint.waitFor({ timeout }).catch(() => undefined);
    }
    await lab.run(code);
    const stopped = code.locator(".jp-DebuggerEditor-highlight");
    await stopped.waitFor();
    assert.match(await stopped.innerText(), /return Math\.sqrt/);
    const frames = page.locator(".jp-DebuggerCallstackFrame");
    await frames.first().waitFor();
    assert.match(await frames.first().innerText(), /^norm\b/);
    await page.locator(".jp-DebuggerVariables", { hasText: /square\s*25/ }).waitFor();
    const stepOut = page.locator('.jp-DebuggerSidebar [data-command="debugger:stepOut"]');
    await stepOut.click();
    // Which of the two is missing tells a lost click from a lost highlight.
    await page.locator(".jp-DebuggerCallstackFrame:first-child", { hasNotText: "norm" }).waitFor();
    await code.locator(".jp-DebuggerEditor-highlight", { hasText: "norm(3, 4)" }).waitFor();
    await page.locator('.jp-DebuggerSidebar [data-command="debugger:continue"]').click();
    await code.locator(".jp-OutputArea-output", { hasText: /^5$/ }).waitFor();
    await bug.click();
    await attached.waitFor({ state: "detached" });
    await lab.run(code);
    await lab.idle(30_000);
    assert.equal(await stopped.count(), 0, "without the debugger no breakpoint stops a cell");
  });
});
