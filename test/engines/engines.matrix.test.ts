import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { launchBrowser } from "../support/browser.js";
import { answerOfFirefox } from "../support/firefox.js";
import { lacks, skip } from "../support/needs.js";
import { otherNodes } from "../support/otherNodes.js";
import { patient } from "../support/patient.js";
import { digests, type Digests } from "./digests.js";
import { scriptForPages } from "./forPages.js";
import { read, renew, runsOf } from "./stored.js";

/** Arguments for each function that training uses. */
const count = 1e7;
const here = __dirname;

describe("engines, on ten million arguments and twenty chaotic runs", function () {
  this.timeout(240_000);
  let own: Digests;

  before(async () => {
    own = await digests(count);
    if (process.env.TURNWISE_RENEW) renew(own, count);
  });

  it("compute here the stored values of every function, bit by bit", () => {
    assert.deepEqual(own.functions, read().functions[count]);
  });

  it("train here as stored, bit by bit", () => {
    assert.deepEqual(runsOf(own), read().runs);
  });

  for (const { version, program } of otherNodes) {
    it(`agree with Node ${version} in every value, record and parameter`, async function () {
      if (!fs.existsSync(program) || lacks("other-nodes"))
        skip(this, "needs other-nodes, versions of Node from npm", "npm test -- test/engines");
      const { stdout } = await promisify(execFile)(program, [path.join(here, "tell.js"), String(count)]);
      assert.deepEqual(JSON.parse(stdout), own);
    });
  }

  it("agree with Chromium in every value, record and parameter", async function () {
    const browser = await launchBrowser(this);
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: scriptForPages() });
      const told = await page.evaluate(`engine.digests(${String(count)})`);
      assert.deepEqual(told, own);
    } finally {
      await browser.close();
    }
  });

  it("agree with Firefox in every value, record and parameter", async function () {
    const ask = `engine.digests(${String(count)}).then(JSON.stringify, String)
      .then((body) => fetch("/answer", { method: "POST", body }));`;
    const told = await answerOfFirefox(this, `${scriptForPages()}\n${ask}`, patient(200_000));
    assert.ok(told.startsWith("{"), told);
    assert.deepEqual(JSON.parse(told), own);
  });
});
