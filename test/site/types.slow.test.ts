import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser.js";
import { plain } from "../kernel/with-kernel.js";
import { inTypes, startTypes, typesSite } from "./typesPage.js";

describe("types in a page", function () {
  this.timeout(120_000);
  let site: Awaited<ReturnType<typeof typesSite>>;
  let browser: Browser;
  let page: Page;

  before(async function () {
    browser = await launchBrowser(this);
    site = await typesSite();
    page = await site.open(browser);
    await startTypes(page);
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });

  /** What a cell's check says: "ok", or the traceback. */
  const check = async (code: string): Promise<string> => {
    const answer = await page.evaluate(
      (code) =>
        (
          globalThis as unknown as {
            types: import("turnwise-site/internal/types/service").BrowserTypes;
          }
        ).types.ask("prepare", { code, name: "cell_1.ts", expressions: {} }),
      code,
    );
    return answer.ok ? "ok" : plain(answer.error.traceback);
  };

  it("are not there for the first cell, which waits for nothing", async () => {
    assert.equal(await check("interface Row { step: number }\nconst rows: Row[] = [{ step: 1 }]"), "ok");
    assert.deepEqual(await page.evaluate("states"), []);
    const loaded = await page.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => name).join()",
    );
    assert.doesNotMatch(String(loaded), /types\.js|declarations/);
  });

  it("find an error before a cell runs, with its line and a caret, by what the first cell has declared", async () => {
    await inTypes(page, (types) => types.load().then(() => undefined));
    assert.deepEqual(await page.evaluate("states"), ["loading", "ready"]);
    assert.equal(
      await check("const count = rows.length\nconst text: string = rows[0].step"),
      [
        "cell_1.ts:2:7 - TS2322: Type 'number' is not assignable to type 'string'.",
        "  1 | const count = rows.length",
        "  2 | const text: string = rows[0].step",
        "    |       ^^^^",
      ].join("\n"),
    );
    assert.equal(await check("console.log(rows.map(({ step }) => 2 * step))"), "ok");
  });

  it("complete the options of train, and the members of what a cell has declared", async () => {
    const options = await inTypes(page, (types) => {
      const code = 'import { train } from "turnwise"; train({ ';
      return types.ask("complete", { code, offset: code.length });
    });
    const names = options.items.map(({ text }) => text);
    for (const name of ["env", "recipe", "policy", "updates", "seed"]) assert.ok(names.includes(name), name);
    const members = await inTypes(page, (types) => types.ask("complete", { code: "rows[0].st", offset: 10 }));
    assert.deepEqual(
      members.items.map(({ text }) => text),
      ["step"],
    );
  });

  it("answer help() at once in a worker, from the same declarations", async () => {
    const text = await page.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker("help-worker.js");
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage("groupAdvantage");
    })`);
    assert.match(String(text), /function groupAdvantage\(reward: ArrayLike<number>/);
    assert.match(String(text), /Source: GRPO, arXiv 2402\.03300/);
  });

  it("tell by a hover what a name is, with its documentation", async () => {
    const info = await inTypes(page, (types) => {
      const code = 'import { train } from "turnwise"; train';
      return types.ask("inspect", { code, offset: code.length });
    });
    assert.match(info!.text, /^function train\(options: TrainOptions\): TrainRun\n\nTrains a policy/);
  });
});
