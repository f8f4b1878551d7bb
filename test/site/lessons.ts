import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { launchFirefox } from "../support/firefoxBrowser.js";
import { root } from "../support/paths.js";
import { codeOf, differing, ledgerRows, lessonsIn, runInPage, runOnNode, type Ran } from "./lessonRuns.js";
import { openLessonSite } from "./sitePage.js";

// Runs notebooks in the built site and on Node, unedited, and compares what they show: node build/test/site/lessons.js [names...],
// such as 03-update-order-ablation; without a name, all but the exercises. Writes both runs into build/lessons. With --relaxed the page
// computes networks as it does for a reader, where other versions of Node round otherwise; with --firefox it is one of Firefox.

const budgetMs = 900_000;
const out = path.join(root, "build", "lessons");

/** A line of the table, and what is wrong. */
function compared(name: string, there: Ran, here: Ran): { line: string; wrong: string[] } {
  const [inPage, onNode] = [ledgerRows(there.notebook), ledgerRows(here.notebook)];
  const equal = onNode.filter((row, i) => isDeepStrictEqual(row, inPage[i])).length;
  const differ = differing(there.notebook, here.notebook);
  const cells = codeOf(here.notebook).length;
  const figures = [`${there.seconds.toFixed(0)}`, `${here.seconds.toFixed(0)}`];
  const shares = [`${equal} of ${onNode.length}`, `${cells - differ.length} of ${cells}`];
  return {
    line: `| ${[name, ...figures, ...shares].join(" | ")} |`,
    wrong: [
      ...there.failures.map((failure) => `page: ${failure}`),
      ...here.failures.map((failure) => `Node: ${failure}`),
      ...differ.map((id) => `cell ${id} does not show the same`),
    ],
  };
}

function store(name: string, runs: Readonly<Record<string, Ran>>): void {
  for (const [host, { notebook }] of Object.entries(runs)) {
    const file = path.join(out, host, `${name}.ipynb`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(notebook, null, 1));
  }
}

async function main(args: readonly string[]): Promise<void> {
  const given = args.filter((arg) => !arg.startsWith("--"));
  const names = given.length > 0 ? given : [...lessonsIn(""), ...lessonsIn("appendix")];
  const launch = args.includes("--firefox") ? launchFirefox : undefined;
  const site = await openLessonSite(undefined, args.includes("--relaxed") || undefined, launch);
  console.log("| notebook | in a page, s | on Node, s | ledger rows equal | cells that show the same |");
  console.log("| --- | --- | --- | --- | --- |");
  let failed = 0;
  for (const name of names) {
    const there = await runInPage(name, budgetMs, site.start);
    const here = await runOnNode(name, budgetMs);
    store(name, { page: there, node: here });
    const { line, wrong } = compared(name, there, here);
    console.log(line);
    for (const one of wrong) console.error(`${name}: ${one}`);
    if (wrong.length > 0) failed++;
  }
  await site.close();
  // test/MATRIX.md keeps the last line.
  console.log(`${String(names.length - failed)} passed, ${String(failed)} failed, 0 skipped`);
  if (failed > 0) process.exitCode = 1;
}

void main(process.argv.slice(2));
