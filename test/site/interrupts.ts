import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { printTable } from "../kernel/interrupts/table.js";
import { launchBrowser } from "../support/browser.js";
import { launchFirefox } from "../support/firefoxBrowser.js";
import { openKernelSite } from "../support/kernelSite.js";
import { absentBecause, pageRows, startInPage, tryInPage } from "./pageTrials.js";

// Usage: node build/test/site/interrupts.js [--repeat 200] [--rows 1,5,9] [--fresh 50] [--browser firefox] [--isolated yes]
// Interrupts each kind of work again and again in the kernel of a page, first in one whose threads share memory and then in one where
// they do not (or only one of both), and prints the table that build/test/bench/kernel/interrupts.js prints for Node. SIGINT ends it
// early, and the table then has what was tried until then.

const { values } = parseArgs({
  options: {
    repeat: { type: "string", default: "20" },
    rows: { type: "string" },
    fresh: { type: "string" },
    browser: { type: "string", default: "chromium" },
    isolated: { type: "string" },
  },
});

const launchers = { chromium: launchBrowser, firefox: launchFirefox };

let ended = false;
process.once("SIGINT", () => (ended = true));

/** The table of a page that is isolated, or is not; gives the number of failures. */
async function table(isolated: boolean): Promise<number> {
  const launch = launchers[oneOf("browser", values.browser, ["chromium", "firefox"])];
  // SIGINT is for this command, which then prints its table: the browser ends with it.
  const browser = await launch(undefined, { heedsSignals: false });
  const site = await openKernelSite({ isolated, browser });
  const about = isolated ? "isolated" : "not isolated";
  console.log(`\n${values.browser} ${browser.version()}, ${about}, load ${loadavg()[0]!.toFixed(1)}`);
  const all = values.rows?.split(",").map(Number) ?? pageRows.map((_, i) => i + 1);
  const absent = (number: number): string | undefined => absentBecause(pageRows[number - 1]!, isolated);
  try {
    return await printTable({
      rows: pageRows,
      wanted: all.filter((number) => absent(number) === undefined),
      repeat: Number(values.repeat),
      ...(values.fresh !== undefined && { fresh: Number(values.fresh) }),
      start: () => startInPage(site),
      tryRow: tryInPage,
      hasEnded: () => ended,
    });
  } finally {
    for (const number of all.filter(absent))
      console.log(`${number}, ${pageRows[number - 1]!.title}, cannot be there: ${absent(number)}`);
    await browser.close();
    await site.server.close();
  }
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot print the table: --${option} must be ${allowed.join(" or ")}, got ${JSON.stringify(value)}.`,
  );
}

async function main(): Promise<number> {
  const wanted =
    values.isolated === undefined ? ["yes", "no"] : [oneOf("isolated", values.isolated, ["yes", "no"])];
  let failed = 0;
  for (const one of wanted) if (!ended) failed += await table(one === "yes");
  return failed;
}

void main().then((failed) => process.exit(failed === 0 ? 0 : 1));
