import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { writePages } from "turnwise-site/builder/pages.cjs";
import { serve } from "turnwise-site/builder/serve.cjs";
import { writeViews } from "turnwise-site/builder/views.cjs";
import { offlineFiles } from "turnwise-site/builder/worker.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { useBrowser } from "../support/sharedBrowser.js";

describe("a reader who has seen the first page alone", function () {
  this.timeout(patient(60_000));
  let out = "";
  before(async () => {
    out = path.join(temporaryFolder(), "site");
    await writePages(root, root, out, { decks: false });
    await writeViews(root, out);
    // Without JupyterLite: the site's own service worker, and the files that a build writes for it.
    const text = (name: string): string => fs.readFileSync(path.join(root, "site", "static", name), "utf8");
    const parts: Readonly<Record<string, string>> = { SITE_STAMP: "test", FIRST_FILES: "{}" };
    const worker = text("service-worker.js").replace(/SITE_STAMP|FIRST_FILES/g, (name) => parts[name]!);
    fs.writeFileSync(path.join(out, "service-worker.js"), worker);
    fs.writeFileSync(path.join(out, "isolate.js"), text("isolate.js"));
    fs.writeFileSync(path.join(out, "build.json"), '{"stamp":"test"}');
    fs.writeFileSync(path.join(out, "offline.json"), JSON.stringify(offlineFiles(out)));
  });
  after(removeTemporaryFolders);

  it("opens it, and the pages without a notebook, when the network is gone", async function () {
    const server = await serve(out, { port: 0 });
    const address = `http://localhost:${String((server.address() as { port: number }).port)}/`;
    const context = await (await useBrowser(this)).newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction("globalThis.crossOriginIsolated && navigator.serviceWorker.controller");
    // The page asks for them once it has settled.
    await page.evaluate(`(async () => {
      for (const file of ${JSON.stringify(offlineFiles(out).pages)})
        while (!(await caches.match(new URL(file, location.href)))) await new Promise((done) => setTimeout(done, 100));
    })()`);
    await page.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    const later = await context.newPage();
    const failed: string[] = [];
    later.on("requestfailed", (request) => {
      // A page that is left gives up its pictures.
      if (request.failure()?.errorText !== "net::ERR_ABORTED") failed.push(request.url());
    });
    later.on("pageerror", ({ message }) => failed.push(message));
    await later.goto(address);
    await later.getByRole("heading", { name: "turnwise" }).waitFor();
    await later.locator(".card img").first().scrollIntoViewIfNeeded();
    await later.getByRole("checkbox", { name: "Done: Start here" }).waitFor();
    const drawn = "[...document.images].filter((one) => one.complete).every((one) => one.naturalWidth > 0)";
    assert.ok(await later.evaluate(drawn), "pictures");
    await later.goto(`${address}play/#updates=50&runs=grpo`);
    await later.getByRole("heading", { name: /^GRPO reaches/ }).waitFor();
    await later.goto(`${address}rules/grpo/`);
    await later.getByRole("img", { name: /GRPO ends at/ }).waitFor();
    await later.goto(`${address}forecast/`);
    await later.getByText("Run 1 of 10: your bet?").waitFor();
    assert.deepEqual(failed, []);
    await context.close();
  });
});
