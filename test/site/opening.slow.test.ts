/// <reference lib="dom" />
import assert from "node:assert/strict";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { runsAtOnce } from "./earlyRun.js";
import { inLab, inNotebookApp, Visit } from "./visit.js";

const lesson = "notebooks/00-start-here.ipynb";
const formulas = "notebooks/appendix/02-impossibility-theorem.ipynb";

/** A cell that shows formulas, code that looks like one, and one that cannot be read. */
const typeset = String.raw`display(latex("$$\\begin{aligned} a &= b \\end{aligned}$$"));
display(md("Half is $\\frac{1}{2}$, and \`$a$\` is code."));
display(md("Nobody reads $\\nothing{$."));`;

describe("a notebook that opens in the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  /** All visits are one reader's, who has the site at hand after the first. */
  let known: Visit;
  before(async () => {
    known = await Visit.open(shared().browser, shared().site);
  });
  after(() => (known as Visit | undefined)?.close());

  const scripts = (reader: Visit): Promise<string[]> =>
    reader.page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));

  for (const [app, at] of Object.entries({ Notebook: inNotebookApp, Lab: inLab }))
    it(`draws a chart when it comes near, in ${app}, and leaves its place free until then`, async () => {
      const reader = app === "Notebook" ? known : await Visit.beside(known);
      await reader.goto(at(lesson));
      const output = reader.page.locator(".jp-OutputArea-output.jp-RenderedVegaLite").last();
      assert.equal(await output.locator("canvas, svg").count(), 0, "it was drawn at once");
      const kept = await output.evaluate((element) => element.getBoundingClientRect().height);
      assert.ok(kept > 200, `${String(kept)} pixels`);
      const chart = output.locator("canvas, svg.marks").first();
      // Cells above it, such as predictions with their choices, take their height when they come near, and move it on.
      while ((await chart.count()) === 0) {
        await output.scrollIntoViewIfNeeded();
        await reader.page.waitForTimeout(100);
      }
      await chart.waitFor();
      const drawn = (await chart.boundingBox())!.height;
      assert.ok(Math.abs(drawn - kept) < 60, `a place of ${String(kept)} for ${String(drawn)} pixels`);
      assert.deepEqual(reader.complaints, []);
      if (reader !== known) await reader.page.close();
    });

  it("typesets its formulas, each of which can be read by a screen reader, with fonts of the site's own", async () => {
    const reader = await Visit.beside(known);
    await reader.goto(inNotebookApp(formulas));
    const first = reader.page.locator(".jp-RenderedMarkdown .katex").first();
    await first.waitFor({ state: "attached" });
    const left = await reader.page.locator(".jp-RenderedMarkdown").evaluateAll((all) =>
      all
        .map((one) => {
          const copy = one.cloneNode(true) as Element;
          for (const typeset of copy.querySelectorAll(".katex, code, pre")) typeset.remove();
          return copy.textContent ?? "";
        })
        .filter((text) => /\$[^$]+\$/.test(text)),
    );
    assert.deepEqual(left, []);
    assert.equal(await reader.page.locator(".katex-error").count(), 0);
    assert.match(await first.locator("math").innerHTML(), /<annotation encoding="application\/x-tex">/);
    await first.scrollIntoViewIfNeeded();
    await reader.page.evaluate(() => document.fonts.ready);
    assert.ok((await scripts(reader)).some((name) => name.endsWith("KaTeX_Math-Italic.woff2")));
    assert.deepEqual(reader.complaints, []);
    await reader.page.close();
  });

  it("typesets what a cell shows, and keeps what is no formula", async () => {
    const reader = known;
    if (!reader.page.url().includes(lesson)) await reader.goto(inNotebookApp(lesson));
    assert.ok(!(await scripts(reader)).some((name) => name.endsWith("math.js")), "loaded without a formula");
    const cell = await reader.runNew(typeset);
    await cell.locator(".katex-display").first().waitFor();
    await cell.locator(".jp-RenderedMarkdown .katex .mfrac").first().waitFor();
    assert.equal(await cell.locator("code", { hasText: "$a$" }).count(), 1);
    await reader.says(cell, "\\nothing{");
    assert.deepEqual(reader.complaints, []);
  });

  // Whether the kernel is still to come, chance decides: opening.matrix has more readers.
  it("runs a cell as soon as it is there, though its kernel is still to come, on the first visit and the next", async () => {
    await runsAtOnce(shared().browser, shared().site);
  });
});
