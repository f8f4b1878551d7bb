import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser.js";
import { serveSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { serveFolders } from "../support/staticServer.js";
import { inNotebookApp, Visit } from "./visit.js";

const folder = path.join(root, "build", "site");
const statics = "/site/extensions/turnwise-kernel/static/";
const exercise = "notebooks/exercises/00-one-knob.ipynb";

/** The site as it is after the given number of updates: its scripts say which, and its stamp is another. At first it is as built. */
function updated(updates: number, below: string): string | undefined {
  if (updates === 0) return undefined;
  const read = (): string => fs.readFileSync(path.join(folder, below.slice("/site/".length)), "utf8");
  if (below === `${statics}remoteEntry.js` || below === `${statics}cells.js`)
    return `globalThis.updates = ${updates};\n${read()}`;
  if (!/^\/site\/(build\.json|service-worker\.js)$/.test(below)) return undefined;
  const { stamp } = JSON.parse(fs.readFileSync(path.join(folder, "build.json"), "utf8")) as { stamp: string };
  return read().replaceAll(stamp, stamp.slice(0, -4) + String(updates).padStart(4, "0"));
}

describe("an update of the site", function () {
  this.timeout(patient(120_000));
  let browser: Browser;
  before(async function () {
    await (await serveSite(this)).close();
    browser = await launchBrowser(this);
  });
  after(() => browser?.close());

  for (const cache of ["no-store", "public, max-age=3600"])
    it(`is what the next visit gets, all of it, from a host that sends "Cache-Control: ${cache}"`, async () => {
      let updates = 0;
      const server = await serveFolders(
        { site: folder },
        { isolated: false, cache, extra: (_, below) => updated(updates, below) },
      );
      const site = {
        address: `${server.url.replace("127.0.0.1", "localhost")}site/`,
        close: () => server.close(),
      };
      const reader = await Visit.open(browser, site);
      try {
        const versions = async (): Promise<{ page: unknown; cells: number }> => {
          await reader.goto(inNotebookApp(exercise));
          const cell = await reader.runNew("`cells of ${(globalThis as { updates?: number }).updates ?? 0}`");
          await reader.says(cell, /cells of \d/);
          const text = await cell.locator(".jp-OutputArea-output").first().innerText();
          return {
            page: await reader.page.evaluate("globalThis.updates ?? 0"),
            cells: Number(/\d/.exec(text)![0]),
          };
        };
        assert.deepEqual(await versions(), { page: 0, cells: 0 });
        updates = 1;
        assert.deepEqual(await versions(), { page: 1, cells: 1 });
      } finally {
        await reader.close();
        await site.close();
      }
    });
});
