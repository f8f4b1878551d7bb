/// <reference lib="dom" />
// Measures how smoothly a page of JupyterLab goes on while charts of 10,000 points are drawn in it. Run it with:
// node node_modules/mocha/bin/mocha.js build/test/bench/chartFrames.js
import type { Page } from "playwright-core";
import { LabPage } from "../browser/labPage.js";
import { useLab } from "../support/sharedLab.js";

const seconds = 15;
const prepare = `import { lineChart, liveCurve } from "turnwise";
import { streamChart } from "turnwise-kernel";
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
const wave = (x: number) => Math.sin(x / 300) + 0.2 * Math.sin(x * 7.3);`;

/** Each holds 10,000 points before it is shown and gets some 500 more a second for a quarter of a minute. */
const cases: Readonly<Record<string, string>> = {
  "no chart": `await sleep(${seconds * 1000 + 3000});`,
  "liveCurve, one series": `const one = liveCurve({ metric: "m", total: 20000 });
let u = 0; const add = () => one.add({ update: ++u, metrics: { m: wave(u) } });
while (u < 10_000) add();
display(one);
for (const end = Date.now() + ${seconds * 1000 + 3000}; Date.now() < end; await sleep(2)) add();`,
  "liveCurve, three series": `const three = liveCurve({ metric: "m", total: 20000 });
let v = 0; const addThree = () => { v++; for (const name of ["a", "b", "c"]) three.add({ update: v, metrics: { m: wave(v) } }, name); };
while (v < 10_000) addThree();
display(three);
for (const end = Date.now() + ${seconds * 1000 + 3000}; Date.now() < end; await sleep(2)) addThree();`,
  streamChart: `const stream = streamChart({ title: "s" });
let w = 0; const addStream = () => stream.push({ a: wave(++w) });
while (w < 10_000) addStream();
display(stream);
for (const end = Date.now() + ${seconds * 1000 + 3000}; Date.now() < end; await sleep(2)) addStream();`,
  "lineChart, still": `display(lineChart({ a: Array.from({ length: 10_000 }, (_, x) => ({ x, y: wave(x) })) }, { title: "still", xTitle: "x", yTitle: "y" }));
await sleep(${seconds * 1000 + 3000});`,
};

/** Milliseconds between the frames of a page, while the mouse moves over the output. */
async function frames(page: Page): Promise<number[]> {
  const measured = page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = [];
        let last = performance.now();
        const end = last + ms;
        const tick = (now: number): void => {
          gaps.push(now - last);
          last = now;
          if (now < end) requestAnimationFrame(tick);
          else resolve(gaps);
        };
        requestAnimationFrame(tick);
      }),
    seconds * 1000,
  );
  let moving = true;
  void measured.then(() => (moving = false));
  for (let i = 0; moving; i++) {
    await page.mouse.move(400 + (i % 40) * 8, 420 + (i % 7) * 9);
    await page.waitForTimeout(50);
  }
  return (await measured).slice(2);
}

const at = (sorted: readonly number[], share: number): string =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);

describe("frames of a page with charts of 10,000 points", function () {
  this.timeout(300_000);

  for (const [name, source] of Object.entries(cases)) {
    it(name, async function () {
      const laboratory = await useLab(this);
      const notebook = laboratory.write(`frames-${name.replace(/\W+/g, "-")}.ipynb`, [prepare, source]);
      const lab = await LabPage.open(laboratory, notebook);
      await lab.run(lab.codeCell("import { lineChart"));
      await lab.idle(60_000);
      await lab.run(lab.codeCell("await sleep"));
      await lab.page.waitForTimeout(1500);
      const gaps = (await frames(lab.page)).sort((a, b) => a - b);
      const slow = gaps.filter((gap) => gap > 50);
      const share = slow.reduce((sum, gap) => sum + gap, 0) / (seconds * 1000);
      console.log(
        `${name}: frames of ${at(gaps, 0.5)} ms (median), ${at(gaps, 0.95)} (95 %), ${at(gaps, 1)} (longest); ` +
          `${slow.length} of ${gaps.length} take more than 50 ms, ${(100 * share).toFixed(0)}% of the time`,
      );
      await lab.close();
    });
  }
});
