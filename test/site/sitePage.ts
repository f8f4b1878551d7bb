import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Browser } from "playwright-core";
import type { KernelClient, StartOptions } from "turnwise-kernel";
import { scriptsOf } from "turnwise-site/builder/scripts.cjs";
import { fusedReport } from "turnwise/tensor";
import { launchBrowser } from "../support/browser.js";
import { startBrowserKernel } from "../support/browserKernel.js";
import { kernelPage, type KernelSite } from "../support/kernelSite.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";
import { serveFolders } from "../support/staticServer.js";

// The kernel of the built site without JupyterLite's page around it: its own scripts, library and files, in a page that a test holds.

const folder = path.join(root, "build", "site");

/** The built site as a place for kernels, and how to end it. */
export interface LessonSite {
  start(o: StartOptions): Promise<KernelClient>;
  close(): Promise<void>;
}

/**
 * Opens a browser and serves build/site, which `npm test` makes; without it the tests are skipped. `relaxed` says whether networks
 * may round products once. By default they do as this version of Node does, since their bits depend on it.
 */
export async function openLessonSite(
  context: Mocha.Context | undefined,
  relaxed = fusedReport().kind === "wasm relaxed",
  launch: (context: Mocha.Context | undefined) => Promise<Browser> = launchBrowser,
): Promise<LessonSite> {
  if (!fs.existsSync(path.join(folder, "build.json"))) {
    if (!context) throw new Error("Cannot run lessons in a page: the site must be built: npm run site.");
    skip(context, "needs the built site", "npm run site");
  }
  const browser = await launch(context);
  const server = await serveFolders(
    { site: folder, page: await pageScript() },
    { isolated: true, extra: (_method, at) => (at === "/" ? kernelPage("page/bare.js") : undefined) },
  );
  const place: KernelSite["place"] = (cwd) => ({
    base: `${server.url}site/`,
    scripts: `${server.url}site/${scriptsOf(folder)}`,
    location: path.relative(root, cwd).split(path.sep).join("/"),
  });
  return {
    start: async (o) => rounding(await startBrowserKernel(o, { browser, server, place }), relaxed),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

async function rounding(kernel: KernelClient, relaxed: boolean): Promise<KernelClient> {
  const code = `(await import("turnwise/browser")).setUp({ relaxed: ${String(relaxed)} });`;
  const { status, error } = await kernel.execute(code, { silent: true, storeHistory: false });
  if (status !== "ok")
    throw new Error(`Cannot tell a page how to round: its library must load: ${error?.evalue ?? status}.`);
  return kernel;
}

/** The one script that the site does not hold: what stands for JupyterLite. */
async function pageScript(): Promise<string> {
  const { writePageScript } = createRequire(__filename)(path.join(root, "site/builder/parts.cjs")) as {
    writePageScript(root: string, folder: string): Promise<void>;
  };
  const parts = path.join(root, "build", "site-lessons");
  await writePageScript(root, parts);
  return parts;
}
