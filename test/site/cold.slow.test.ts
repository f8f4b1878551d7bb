/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fs from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { serve } from "turnwise-site/builder/serve.cjs";
import { networks, visits, type Visits } from "../bench/site/cold.js";
import { skip } from "../support/needs.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { useBrowser } from "../support/sharedBrowser.js";

const folder = path.join(root, "build", "site");
const most = 3.5e6;

describe("a first visit to the site", function () {
  this.timeout(patient(180_000));
  let browser: Browser;
  /** What the server was asked for, on both visits. */
  let asked: string[];
  let found: Visits;
  /** Where the second visit begins among them. */
  let second: number;

  before(async function () {
    if (!fs.existsSync(path.join(folder, "build.json"))) skip(this, "needs the built site", "npm run site");
    browser = await useBrowser(this);
    asked = [];
    found = await visits(browser, networks["this machine"]!, { onRequest: (_, file) => asked.push(file) });
    second = asked.lastIndexOf("lessons/00-start-here/");
  });

  it(`loads at most ${most / 1e6} MB until a lesson's first result`, () => {
    assert.ok(found.cold.bytes <= most, `${found.cold.bytes} bytes`);
    // What came in one piece cannot have been less than JupyterLite.
    assert.ok(found.cold.bytes > 1e6, `${found.cold.bytes} bytes`);
  });

  it("loads what JupyterLite and the kernel need in one piece, and no file of it by itself", () => {
    const pieces = asked.filter((file) => file.startsWith("first/"));
    assert.equal(pieces.length, 1, pieces.join());
    const single = asked
      .slice(0, second)
      .filter((file) => /^build\/|\/(cells|prepare|remoteEntry)\.js/.test(file));
    assert.deepEqual(single, []);
  });

  it("asks on the next visit whether the site has changed, and for nothing of JupyterLite", () => {
    const again = asked.slice(second);
    assert.ok(again.includes("build.json"), again.join());
    assert.deepEqual(
      again.filter((file) => /^(build|first)\/|\/(cells|prepare|remoteEntry)\.js/.test(file)),
      [],
    );
  });

  it("is not loaded once more when isolating takes so long that the reader has begun", async () => {
    const server = await serve(folder);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.clock.install();
      await page.addInitScript(() => {
        const scope = globalThis as unknown as { release: () => void };
        const ready = new Promise<void>((resolve) => (scope.release = resolve));
        Object.defineProperty(navigator.serviceWorker, "ready", { get: () => ready });
      });
      await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== undefined);
      await page.clock.fastForward(10_000);
      await page.locator("#isolated", { hasText: "not isolated" }).waitFor();
      await page.evaluate(() => {
        const scope = globalThis as unknown as { release: () => void; isFirst: boolean };
        scope.isFirst = true;
        scope.release();
      });
      await page.waitForTimeout(500);
      assert.equal(await page.evaluate(() => (globalThis as unknown as { isFirst?: boolean }).isFirst), true);
      await page.reload();
      await page.locator("#isolated", { hasText: "This page is isolated" }).waitFor();
    } finally {
      await context.close();
      server.close();
      server.closeAllConnections();
    }
  });

  it("shows the newest once the site has changed", async () => {
    const server = await serve(folder);
    const answer = server.listeners("request")[0] as (
      request: IncomingMessage,
      response: ServerResponse,
    ) => void;
    let isNewer = false;
    const changed: Readonly<Record<string, string>> = {
      "/build.json": '{ "stamp": "another" }',
      "/jupyter-lite.json": '{ "newer": true }',
    };
    server
      .removeAllListeners("request")
      .on("request", (request: IncomingMessage, response: ServerResponse) => {
        const text = isNewer ? changed[request.url!] : undefined;
        if (text === undefined) answer(request, response);
        else response.setHeader("Content-Type", "application/json").end(text);
      });
    const page = await browser.newPage();
    const config = (): Promise<object> =>
      page.evaluate(async () => (await (await fetch("jupyter-lite.json")).json()) as object);
    try {
      const address = `http://localhost:${(server.address() as AddressInfo).port}/`;
      await page.goto(address);
      await page.waitForFunction("navigator.serviceWorker.controller && crossOriginIsolated");
      assert.ok("jupyter-config-data" in (await config()));
      isNewer = true;
      await page.reload();
      assert.deepEqual(await config(), { newer: true });
    } finally {
      await page.close();
      server.close();
      server.closeAllConnections();
    }
  });
});
