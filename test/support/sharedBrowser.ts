import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.js";

let browser: Browser | undefined;

/**
 * The one headless Chromium of all tests in this process, each of which opens pages or contexts of its own in it; without one the
 * test is skipped. A root hook closes it. One that has crashed is replaced, so its crash fails one test and not all that follow.
 */
export async function useBrowser(context: Mocha.Context | undefined): Promise<Browser> {
  if (!browser?.isConnected()) browser = await launchBrowser(context);
  return browser;
}

after(async function () {
  this.timeout(60_000);
  await browser?.close();
  browser = undefined;
});
