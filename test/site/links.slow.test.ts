import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { patientPage } from "./siteLab.js";

const screens = {
  "a laptop": { width: 1280, height: 800 },
  "a phone": { width: 390, height: 844 },
};

describe("links in the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();

  for (const [screen, viewport] of Object.entries(screens)) {
    describe(`on ${screen}`, () => {
      let context: BrowserContext;
      let page: Page;
      before(async () => {
        context = await shared().browser.newContext({ viewport });
        page = await patientPage(context);
      });
      after(() => (context as BrowserContext | undefined)?.close());

      const open = async (path: string): Promise<void> => {
        await page.goto(`${shared().site.address}notebooks/index.html?path=${path}`);
      };
      /** Clicks a link once JupyterLab has resolved it, and waits for the page that it leads to. */
      const follow = async (text: string, address: string): Promise<void> => {
        const link = page.locator(".jp-RenderedMarkdown a", { hasText: text }).last();
        await link.scrollIntoViewIfNeeded();
        await page.waitForFunction(
          (one) => (one as unknown as { href: string }).href.includes("/files/"),
          await link.elementHandle(),
        );
        await link.click();
        await page.waitForURL((url) => url.href.endsWith(address));
        assert.equal(context.pages().length, 1, "it opens in the same tab");
      };

      it("leads from a lesson to the next lesson's notebook in the same tab", async () => {
        await open("notebooks/00-start-here.ipynb");
        await follow("01 GRPO from scratch", "?path=notebooks/01-grpo-from-scratch.ipynb");
        await page.locator("h1", { hasText: "GRPO from scratch" }).waitFor();
        await page.locator(".jp-CodeCell").first().waitFor();
      });

      it("leads from a lesson to the documentation and to the exercises, and from there into a notebook", async () => {
        await open("notebooks/11-your-own-run.ipynb");
        await follow("a page for each trainer", "read/docs/README.html");
        await page.locator("h1").waitFor();
        await page.goBack();
        await follow("Exercises", "read/notebooks/exercises/README.html");
        await page.locator("a", { hasText: "01-leave-one-out" }).click();
        await page.locator("h1", { hasText: "Leave one out" }).waitFor();
        assert.equal(context.pages().length, 1);
      });

      it("shows the documentation on the first page", async () => {
        await page.goto(shared().site.address);
        const href = await page.locator("h2#documentation + ol a").first().getAttribute("href");
        const answer = await page.request.get(new URL(href!, shared().site.address).href);
        assert.equal(answer.status(), 200);
      });

      it("is no wider than its screen where a page is read", async () => {
        await page.goto(`${shared().site.address}read/docs/README.html`);
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        assert.ok((wide as number) <= viewport.width, String(wide));
      });
    });
  }

  it("leads nowhere that the site does not have, in any page that is read", async () => {
    const seen = new Set<string>();
    const { address } = shared().site;
    const wanted = [`${address}index.html`];
    const broken: string[] = [];
    for (let url = wanted.pop(); url !== undefined; url = wanted.pop()) {
      if (seen.has(url)) continue;
      seen.add(url);
      const answer = await fetch(url);
      await (answer.ok && /\.html$/.test(url) && /\/read\/|\/index\.html$/.test(url)
        ? answer.text().then((html) => {
            for (const [, href] of html.matchAll(/<a [^>]*?href="([^"#]+)[^"]*"/g)) {
              const next = new URL(href!.replaceAll("&amp;", "&"), url);
              if (next.href.startsWith(address) && !next.search) wanted.push(next.href);
              const path = next.searchParams.get("path");
              if (path !== null && next.href.startsWith(address)) wanted.push(`${address}files/${path}`);
            }
          })
        : answer.body?.cancel());
      if (!answer.ok) broken.push(url);
    }
    assert.deepEqual(broken, []);
    assert.ok(seen.size > 50, String(seen.size));
  });
});
