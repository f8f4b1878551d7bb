import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";
import { useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cells = [
  'import { existsSync } from "node:fs"\nimport { streamChart } from "turnwise-kernel"',
  // A synchronous loop that goes on only when the page has shown that the chart grows meanwhile.
  `const chart = streamChart({ title: "training", x: "step", y: "return" });
display(chart);
const nap = new Int32Array(new SharedArrayBuffer(4));
let more = 0;
for (let i = 0; i < 5_000; i++) {
  chart.push({ grpo: Math.sin(i / 400) + i / 2500, rloo: Math.cos(i / 400) });
  if (i === 2_500) while (!existsSync("chart-seen.flag")) { chart.push({ grpo: 1 }, 2_500); more++; Atomics.wait(nap, 0, 0, 20); }
}
10_000 + more`,
];

describe("a streaming chart in JupyterLab", function () {
  this.timeout(180_000);

  it("grows while a synchronous loop trains, ends whole, and is there after a reload", async function () {
    const laboratory = await useLab(this);
    const flag = path.join(laboratory.lab.notebooks, "chart-seen.flag");
    fs.rmSync(flag, { force: true });
    const lab = await LabPage.open(laboratory, laboratory.write("stream.ipynb", cells));
    await lab.run(lab.codeCell("import { existsSync"));
    const cell = lab.codeCell("const chart");
    await lab.run(cell);
    const canvas = cell.locator(".jp-RenderedTurnwiseStream canvas");
    const points = async (atLeast: number): Promise<number> => {
      const element = await canvas.elementHandle();
      const found = await lab.page.waitForFunction(
        ([node, least]) => {
          const shown = Number((node as HTMLElement).dataset.points);
          return shown >= Number(least) ? shown : 0;
        },
        [element, atLeast] as const,
      );
      return found.jsonValue();
    };
    await lab.running(cell);
    const early = await points(5_001);
    const later = await points(early + 5);
    assert.ok(later > early, "it grows while the loop has not ended");
    fs.writeFileSync(flag, "");
    const result = cell.locator(".jp-OutputArea-executeResult .jp-OutputArea-output");
    const whole = Number(await result.innerText());
    assert.ok(whole > 10_000);
    assert.equal(await points(whole), whole);
    assert.match((await canvas.getAttribute("aria-label"))!, /^training: return over step, grpo, rloo$/);
    const box = (await canvas.boundingBox())!;
    assert.deepEqual([box.width, box.height], [640, 300]);
    await lab.screenshot(path.join(root, "build", "screenshots", "stream.png"));
    await lab.save();
    await lab.reload();
    assert.equal(await points(whole), whole);
    await lab.close();
  });
});
