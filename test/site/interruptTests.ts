import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import type { KernelClient } from "turnwise-kernel";
import type { Row } from "../kernel/interrupts/rows.js";
import { launchBrowser } from "../support/browser.js";
import { openKernelSite, type KernelSite } from "../support/kernelSite.js";
import { patient } from "../support/patient.js";
import { absentBecause, pageRows, startInPage, tryInPage } from "./pageTrials.js";

/** Rows that take seconds each time are tried once, in one of both pages; the command tries all of them in both. */
const inOnePage: Readonly<Record<string, "isolated" | "not isolated">> = {
  "a regular expression that backtracks": "not isolated",
  "Atomics.wait": "isolated",
  "TensorFlow.js: one matMul of 3000 x 3000": "isolated",
  "a cell whose type check does not end": "not isolated",
};

/** A kernel in a page, which all tests of a `describe` share. */
export function kernelInPage(
  isolated: boolean,
  launch: (context: Mocha.Context) => Promise<Browser> = launchBrowser,
): () => KernelClient {
  let site: KernelSite | undefined;
  let kernel: KernelClient | undefined;
  before(async function () {
    this.timeout(patient(180_000));
    const browser = await launch(this);
    site = await openKernelSite({ isolated, browser });
    kernel = await startInPage(site);
  });
  after(async () => {
    await site?.browser.close();
    await site?.server.close();
  });
  return () => kernel!;
}

/** Interrupts each row so many milliseconds after it began. */
export function testInterrupts(isolated: boolean, moments: readonly number[]): void {
  const kind = isolated ? "isolated" : "not isolated";
  const isTried = (row: Row): boolean =>
    absentBecause(row, isolated) === undefined && (inOnePage[row.title] ?? kind) === kind;

  describe(`interrupt in a page that is ${kind}`, function () {
    this.timeout(patient(60_000));
    const kernel = kernelInPage(isolated);

    for (const row of pageRows.filter(isTried)) {
      const left =
        row.step === "new session" ? "after a warning, with all variables" : "and keeps the variables";
      it(`stops ${row.title} ${left}; the next cell and the next gradient are right`, async () => {
        for (const afterMs of row.title in inOnePage ? [10] : moments) {
          const { faults } = await tryInPage(kernel(), row, afterMs);
          assert.deepEqual(faults, [], `after ${afterMs} ms`);
        }
      });
    }
  });
}
