// Uses internals of turnwise/base.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "turnwise/internal/base/markdownTable";
import { launchBrowser } from "../../support/browser.js";
import { root } from "../../support/paths.js";
import { firstFiles, networks, rows, visits } from "./cold.js";

// What a first visit to a lesson of the site costs, and the next one: `node build/test/bench/site/main.js [rounds]`, after
// `npm run site`. The times are from the address to the first result of the first code cell. With --requests: one reader's requests.
// --first writes site/builder/first-files.json, which a new version of JupyterLite needs.

const heads = [
  "network",
  "first visit: MB",
  "cell shown, s",
  "first result, s",
  "next visit: MB",
  "first result, s",
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: "boolean", default: false },
    first: { type: "boolean", default: false },
  },
});

/** What one reader's browser asks for, in order. */
async function printRequests(): Promise<void> {
  const browser = await launchBrowser(undefined);
  const found = await visits(browser, networks["9 Mbit/s, 170 ms"]!, {
    onRequest: (seconds, file) => console.log(`${seconds.toFixed(2).padStart(6)} ${file}`),
  });
  for (const [name, { shown, result, bytes }] of Object.entries(found))
    console.log(`${name}: ${shown} s to the cell, ${result} s to its result, ${bytes} bytes`);
  await browser.close();
}

async function writeFirst(): Promise<void> {
  const file = path.join(root, "site", "builder", "first-files.json");
  fs.writeFileSync(file, `${JSON.stringify(await firstFiles(), null, 2)}\n`);
}

async function printTable(): Promise<void> {
  console.log(markdownTable(heads, await rows(Number(positionals[0] ?? 5))));
  console.log(`\nload of this machine at the end: ${os.loadavg()[0]!.toFixed(1)}`);
}

void (values.requests ? printRequests() : values.first ? writeFirst() : printTable());
