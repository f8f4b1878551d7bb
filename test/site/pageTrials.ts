import { join } from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { repository } from "../kernel/with-kernel.js";
import { setUp, tryRow, type Trial } from "../kernel/interrupts/battery.js";
import { rows, setupWith, type Row } from "../kernel/interrupts/rows.js";
import { pageOf, startBrowserKernel } from "../support/browserKernel.js";
import type { KernelSite } from "../support/kernelSite.js";
import { patient } from "../support/patient.js";

// The interrupt table in a page: the rows of Node's, with what a page does otherwise.

// The type check, which runs before a cell, plays no part here.
const setup = `%types off\n${setupWith("turnwise")}`;

/** The worker of types hangs, as a check that takes for ever would. */
async function hangingCheck(kernel: KernelClient): Promise<void> {
  await pageOf(kernel).evaluate(() => {
    const { workersByUrl } = globalThis as unknown as {
      workersByUrl: Record<string, { postMessage(message: object): void }>;
    };
    const [, types] = Object.entries(workersByUrl).find(([url]) => url.endsWith("/types.js"))!;
    types.postMessage({ hang: true });
  });
}

/** What is otherwise in a page, by the title of the row: nothing ends a cell from outside and keeps its variables. */
const otherwise: Readonly<Record<string, Partial<Row>>> = {
  "a regular expression that backtracks": { step: "new session" },
  "Atomics.wait": { step: "new session" },
  "a loop over a Float32Array": { step: "mark" },
  "a loop over an array behind an await": { step: "mark" },
  "TensorFlow.js: one matMul of 3000 x 3000": { step: "new session" },
  "a cell whose type check does not end": { hold: hangingCheck },
};

/** The rows in a page, under the numbers of Node's. */
export const pageRows: readonly Row[] = rows.map((row) => ({ ...row, ...otherwise[row.title] }));

/** Why a row cannot exist in a page; undefined if it can. */
export function absentBecause({ title }: Row, isolated: boolean): string | undefined {
  if (title.startsWith("execSync")) return "a page has no processes";
  if (title === "Atomics.wait" && !isolated) return "memory is shared in isolated pages only";
  return undefined;
}

/** A kernel in a page of the site, in which rows can be tried. */
export async function startInPage(site: KernelSite): Promise<KernelClient> {
  const cwd = join(repository, "kernel");
  const kernel = await startBrowserKernel({ cwd, startTimeoutMs: patient(60_000) }, site);
  await setUp(kernel, setup);
  return kernel;
}

/** Runs a row's cell in a page, and interrupts it after `afterMs`. */
export const tryInPage = (kernel: KernelClient, row: Row, afterMs: number): Promise<Trial> =>
  tryRow(kernel, row, afterMs, "message", setup);
