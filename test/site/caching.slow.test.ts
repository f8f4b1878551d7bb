import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { scriptsOf } from "turnwise-site/builder/scripts.cjs";
import { sharedSite, type BuiltSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { serveFolders } from "../support/staticServer.js";
import { inNotebookApp, Visit } from "./visit.js";

const folder = path.join(root, "build", "site");
const exercise = "notebooks/exercises/00-one-knob.ipynb";

/** Writes the site as a later build has it: its scripts say so, and lie where their new contents are named; its stamp is another. */
function writeUpdated(into: string): void {
  fs.cpSync(folder, into, { recursive: true });
  const scripts = scriptsOf(folder);
  const [was, is] = [path.basename(scripts), "0123456789abcdef"];
  for (const name of ["remoteEntry.js", "cells.js"]) {
    const file = path.join(into, scripts, name);
    fs.writeFileSync(file, `globalThis.updates = 1;\n${fs.readFileSync(file, "utf8")}`);
  }
  fs.renameSync(path.join(into, scripts), path.join(into, path.dirname(scripts), is));
  const { stamp } = JSON.parse(fs.readFileSync(path.join(folder, "build.json"), "utf8")) as { stamp: string };
  for (const name of ["jupyter-lite.json", "service-worker.js", "offline.json", "build.json"]) {
    const file = path.join(into, name);
    const text = fs.readFileSync(file, "utf8").replaceAll(was, is);
    fs.writeFileSync(file, text.replaceAll(stamp, `${stamp.slice(0, -4)}0001`));
  }
  // Who has been here before asks for each file alone.
  fs.rmSync(path.join(into, "first"), { recursive: true });
}

/** Of how many updates the page knows, and the cells of its kernel. */
async function versions(reader: Visit): Promise<{ page: unknown; cells: number }> {
  const cell = await reader.runNew("`cells of ${(globalThis as { updates?: number }).updates ?? 0}`");
  await reader.says(cell, /cells of \d/);
  const text = await cell.locator(".jp-OutputArea-output").first().innerText();
  return {
    page: await reader.page.evaluate("globalThis.updates ?? 0"),
    cells: Number(/\d/.exec(text)![0]),
  };
}

const siteCaches = 'caches.keys().then((all) => all.filter((name) => name.startsWith("turnwise-site")))';

/** Asks a page until a promise of it gives true. */
async function comes(page: Page, promise: string): Promise<void> {
  while (!(await page.evaluate(promise))) await new Promise((done) => setTimeout(done, 100));
}

/** Has the service worker keep what the page may need, as it does by itself after a while, and waits until that is done. */
async function keepAll(page: Page): Promise<void> {
  const { files } = (await page.evaluate(
    'fetch(new URL("../offline.json", location.href)).then((all) => all.json())',
  )) as { files: string[] };
  await page.evaluate("navigator.serviceWorker.controller.postMessage({ keep: true })");
  // One file after another: to look for hundreds of them again and again takes longer than to keep them.
  await page.evaluate(`(async () => {
    for (const file of ${JSON.stringify(files)})
      while (!(await caches.match(new URL("../" + file, location.href)))) await new Promise((done) => setTimeout(done, 100));
  })()`);
}

describe("an update of the site", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  const updated = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-updated-"));
  before(() => writeUpdated(updated));
  after(() => fs.rmSync(updated, { recursive: true, force: true }));

  /** The site at one address, and what puts its later build there. */
  async function host(cache: string): Promise<{ site: BuiltSite; update(): void }> {
    const folders = { site: folder };
    const server = await serveFolders(folders, { isolated: false, cache });
    return {
      site: {
        address: `${server.url.replace("127.0.0.1", "localhost")}site/`,
        close: () => server.close(),
      },
      update: () => {
        folders.site = updated;
      },
    };
  }

  // From a host that lets nothing be kept, the later page of the next test gets it.
  it('is what the next visit gets, all of it, from a host that sends "Cache-Control: public, max-age=3600"', async () => {
    const { site, update } = await host("public, max-age=3600");
    const reader = await Visit.open(shared().browser, site);
    try {
      await reader.goto(inNotebookApp(exercise));
      assert.deepEqual(await versions(reader), { page: 0, cells: 0 });
      update();
      await reader.goto(inNotebookApp(exercise));
      assert.deepEqual(await versions(reader), { page: 1, cells: 1 });
    } finally {
      await reader.close();
      await site.close();
    }
  });

  it("leaves a page that is open with the scripts that it came with, while one that is opened has the new ones", async () => {
    const { site, update } = await host("no-store");
    const before = await Visit.open(shared().browser, site);
    try {
      await before.goto(inNotebookApp(exercise));
      assert.deepEqual(await versions(before), { page: 0, cells: 0 });
      await keepAll(before.page);
      update();
      const later = await Visit.beside(before);
      await later.goto(inNotebookApp(exercise));
      assert.deepEqual(await versions(later), { page: 1, cells: 1 });
      await keepAll(later.page);
      // A new worker of cells, and a script that nothing has needed so far.
      await before.restart();
      assert.deepEqual(await versions(before), { page: 0, cells: 0 });
      await before.says(await before.runNew('import { recipe } from "turnwise";\nhelp(recipe)'), "recipe");
      assert.deepEqual(before.complaints, []);
      // Nobody needs the old ones once their pages are closed.
      assert.equal(await later.page.evaluate(`${siteCaches}.then((all) => all.length)`), 2);
      await before.page.close();
      await later.page.evaluate("navigator.serviceWorker.controller.postMessage({ keep: true })");
      await comes(later.page, `${siteCaches}.then((all) => all.length === 1)`);
    } finally {
      await before.close();
      await site.close();
    }
  });
});
