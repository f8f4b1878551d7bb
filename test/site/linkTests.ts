import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import type { sharedSite } from "../support/builtSite.js";
import { patientPage } from "./siteLab.js";

export const screens = {
  "a laptop": { width: 1280, height: 800 },
  "a phone": { width: 390, height: 844 },
};

/** What is tried on a screen beside its width. */
export const ways = ["the next lesson", "documentation and exercises", "the first page"] as const;

/** Declares the tests of links on a screen, of these ways. */
export function testLinks(
  shared: ReturnType<typeof sharedSite>,
  screen: keyof typeof screens,
  tried: readonly (typeof ways)[number][],
): void {
  describe(`on ${screen}`, () => {
    const viewport = screens[screen];
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

    if (tried.includes("the next lesson"))
      it("leads from a lesson to the next lesson's notebook in the same tab", async () => {
        await open("notebooks/00-start-here.ipynb");
        await follow("01 GRPO from scratch", "?path=notebooks/01-grpo-from-scratch.ipynb");
        await page.locator("h1", { hasText: "GRPO from scratch" }).waitFor();
        await page.locator(".jp-CodeCell").first().waitFor();
      });

    if (tried.includes("documentation and exercises"))
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

    if (tried.includes("the first page"))
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
