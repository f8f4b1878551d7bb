import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { BrowserTypes } from "turnwise-site/internal/types/service";
import { serve } from "turnwise-site/builder/serve.cjs";
import { builtTypes } from "../support/browserTypes.js";
import { root } from "../support/paths.js";

/* eslint-disable @typescript-eslint/no-require-imports */
const { bundle } = require(join(root, "site/builder/bundles.cjs")) as {
  bundle(o: {
    entry: string;
    outfile: string;
    format: string;
    globalName: string;
    footer?: { js: string };
  }): Promise<unknown>;
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** What the page of the tests has. */
interface Global {
  turnwise: { BrowserTypes: typeof BrowserTypes };
  types: BrowserTypes;
  states: string[];
}

/** A worker that answers with the help for a name. */
const askHelp = `({ data }) => {
  const asker = { kernel: () => ({}), load: () => undefined, inspect: String, cells: () => [] };
  postMessage(String(loader.helpInPage(location.href, asker).about(data)));
}`;

/** Starts the workers of types in the page; `states` then grows with what they say. */
export async function startTypes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const global = globalThis as unknown as Global;
    global.states = [];
    global.types = new global.turnwise.BrowserTypes(
      { first: "prepare.js", full: "types.js" },
      { base: "/", location: "notebooks" },
      (state) => global.states.push(state),
    );
  });
}

/** Asks the types of the page. */
export function inTypes<T>(page: Page, ask: (types: BrowserTypes) => Promise<T>): Promise<T> {
  return page.evaluate(`(${ask.toString()})(globalThis.types)`) as Promise<T>;
}

/** Builds the workers and serves them; a page that has the class which asks them. */
export async function typesSite(): Promise<{ open(browser: Browser): Promise<Page>; close(): void }> {
  const folder = await builtTypes();
  await bundle({
    entry: "site/src/types/service.ts",
    outfile: join(folder, "types-page.js"),
    format: "iife",
    globalName: "turnwise",
  });
  await bundle({
    entry: "site/src/types/help-loader.ts",
    outfile: join(folder, "help-worker.js"),
    format: "iife",
    globalName: "loader",
    footer: { js: `onmessage = ${askHelp};` },
  });
  writeFileSync(join(folder, "types.html"), '<!doctype html><script src="types-page.js"></script>');
  const server = await serve(folder);
  const { port } = server.address() as AddressInfo;
  return {
    async open(browser) {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://127.0.0.1:${port}/types.html`);
      return page;
    },
    close: () => void server.close(),
  };
}
