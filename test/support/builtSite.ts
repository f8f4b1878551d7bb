import fs from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Browser } from "playwright-core";
import { serve } from "turnwise-kernel/site/serve.cjs";
import { launchBrowser } from "./browser.js";
import { skip } from "./needs.js";
import { root } from "./paths.js";

/** The built site on a plain static server, below a folder of its host, as a class has it. */
export interface BuiltSite {
  /** The address of the site, with a slash at its end. */
  readonly address: string;
  /** The network is gone: nothing answers any more. */
  close(): Promise<void>;
}

/** Serves build/site, which `npm test` makes; without it the tests are skipped. */
export async function serveSite(context: Mocha.Context): Promise<BuiltSite> {
  const folder = path.join(root, "build", "site");
  if (!fs.existsSync(path.join(folder, "build.json"))) skip(context, "needs the built site", "npm run site");
  const prefix = "/class/course/";
  const server = await serve(folder, { prefix });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${String(port)}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The built site and a browser, which all tests of a `describe` share. */
export function sharedSite(): () => { readonly site: BuiltSite; readonly browser: Browser } {
  let site: BuiltSite | undefined;
  let browser: Browser | undefined;
  before(async function () {
    site = await serveSite(this);
    browser = await launchBrowser(this);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  return () => ({ site: site!, browser: browser! });
}
