import fs from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Browser } from "playwright-core";
import { serve } from "turnwise-site/builder/serve.cjs";
import { skip } from "./needs.js";
import { root } from "./paths.js";
import { useBrowser } from "./sharedBrowser.js";

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

let common: BuiltSite | undefined;

/** The built site and the browser of all tests in this process; a root hook closes both. */
export function sharedSite(): () => { readonly site: BuiltSite; readonly browser: Browser } {
  let browser: Browser | undefined;
  before(async function () {
    common ??= await serveSite(this);
    browser = await useBrowser(this);
  });
  return () => ({ site: common!, browser: browser! });
}

after(async () => {
  await common?.close();
  common = undefined;
});
