import assert from "node:assert/strict";
import type { KernelClient } from "turnwise-kernel";
import { launchBrowser } from "../support/browser.js";
import type { Row } from "../kernel/interrupts/rows.js";
import { launchFirefox } from "../support/firefoxBrowser.js";
import { openKernelSite, type KernelSite } from "../support/kernelSite.js";
import { patient } from "../support/patient.js";
import { absentBecause, pageRows, startInPage, tryInPage } from "./pageTrials.js";

/** Each row is interrupted so many milliseconds after it began. */
const moments = [0, 15];

/** Rows that take seconds each time are tried once, in one of both pages; the command tries all of them in both. */
const inOnePage: Readonly<Record<string, "isolated" | "not isolated">> = {
  "a regular expression that backtracks": "not isolated",
  "Atomics.wait": "isolated",
  "TensorFlow.js: one matMul of 3000 x 3000": "isolated",
  "a cell whose type check does not end": "not isolated",
};

for (const isolated of [true, false]) {
  const kind = isolated ? "isolated" : "not isolated";
  const isTried = (row: Row): boolean =>
    absentBecause(row, isolated) === undefined && (inOnePage[row.title] ?? kind) === kind;

  describe(`interrupt in a page that is ${kind}`, function () {
    this.timeout(patient(60_000));
    let site: KernelSite | undefined;
    let kernel: KernelClient;

    before(async function () {
      this.timeout(patient(180_000));
      const browser = await launchBrowser(this);
      site = await openKernelSite({ isolated, browser });
      kernel = await startInPage(site);
    });
    after(async () => {
      await site?.browser.close();
      await site?.server.close();
    });

    for (const row of pageRows.filter(isTried)) {
      const left =
        row.step === "new session" ? "after a warning, with all variables" : "and keeps the variables";
      it(`stops ${row.title} ${left}; the next cell and the next gradient are right`, async () => {
        for (const afterMs of row.title in inOnePage ? [10] : moments) {
          const { faults } = await tryInPage(kernel, row, afterMs);
          assert.deepEqual(faults, [], `after ${afterMs} ms`);
        }
      });
    }
  });
}

describe("interrupt in Firefox", function () {
  this.timeout(patient(60_000));
  let site: KernelSite | undefined;
  let kernel: KernelClient;

  before(async function () {
    this.timeout(patient(180_000));
    const browser = await launchFirefox(this);
    site = await openKernelSite({ isolated: true, browser });
    kernel = await startInPage(site);
  });
  after(async () => {
    await site?.browser.close();
    await site?.server.close();
  });

  it("reaches loops that it compiles as if nothing could change the shared memory that they read", async () => {
    for (const row of pageRows.slice(0, 3)) {
      for (const afterMs of [0, 10, 20, 30, 40, 50]) {
        const { faults } = await tryInPage(kernel, row, afterMs);
        assert.deepEqual(faults, [], `${row.title}, after ${afterMs} ms`);
      }
    }
  });
});
