import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partsFolder } from "../support/kernelSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { differences } from "./differences.js";

/** Names of suites or files of test/kernel, in lists of which each is run by a process of its own. */
type Suites = readonly (readonly string[])[];

/** The tests of the Node kernel that also hold for the kernel in a page. */
export const suites: Suites = [
  ["overwritten", "globalNames"],
  ["semantics", "errors", "node-modules", "comms", "module-magic", "module-sweep", "inspect", "stdin"],
  [
    "execute",
    "habits",
    "requests",
    "hints",
    "auto-import",
    "display",
    "output",
    "streams",
    "widgets",
    "knobs",
    "magics",
  ],
];

/** Short ones, with the differences that most cells would meet. */
export const someSuites: Suites = [
  ["semantics", "globalNames.test"],
  ["errors", "stdin", "requests", "overwritten"],
];

/** The compiled tests of a suite: what is fast, and what is slow and lies beside it, unless one file is named. */
function filesOf(suite: string): string[] {
  const tiers = suite.endsWith(".test") ? [""] : [".test", ".slow.test", ".matrix.test"];
  const files = tiers.map((tier) => `build/test/kernel/${suite}${tier}.js`);
  const there = files.filter((file) => existsSync(join(root, file)));
  if (there.length === 0)
    throw new Error(`Cannot run ${suite} in a page: there must be tests of it: ${files.join(", ")}.`);
  return there;
}

/** What the tests give in a page. */
export interface Outcome {
  /** The full titles of those that were run. */
  readonly ran: readonly string[];
  readonly passed: number;
  /** The full titles of those that fail. */
  readonly failed: readonly string[];
}

interface Report {
  readonly tests: readonly { readonly fullTitle: string }[];
  readonly passes: readonly unknown[];
  readonly failures: readonly { readonly fullTitle: string }[];
}

/** Runs suites against the kernel in headless browsers. */
export async function runInPage(wanted: Suites): Promise<Outcome> {
  // Made once, for all processes.
  await partsFolder();
  const outcomes = await Promise.all(wanted.map(run));
  return {
    ran: outcomes.flatMap(({ ran }) => ran),
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.flatMap(({ failed }) => failed).sort(),
  };
}

async function run(names: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-hosts-"));
  const output = join(folder, "report.json");
  const mocha = join(root, "node_modules/mocha/bin/mocha.js");
  const args = [
    "--timeout",
    String(patient(60_000)),
    "--reporter",
    "json",
    "--reporter-option",
    `output=${output}`,
    // A test that fails, as some must here, may leave a process behind.
    "--exit",
  ];
  const files = names.flatMap(filesOf);
  try {
    const child = spawn(process.execPath, [mocha, ...args, ...files], {
      cwd: root,
      env: { ...process.env, TURNWISE_HOST: "browser" },
      stdio: "ignore",
    });
    await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
    const { tests, passes, failures } = JSON.parse(readFileSync(output, "utf8")) as Report;
    const titles = (all: readonly { readonly fullTitle: string }[]): string[] =>
      all.map(({ fullTitle }) => fullTitle);
    return { ran: titles(tests), passed: passes.length, failed: titles(failures) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every test that is expected to fail in a page, in the order of the alphabet. */
export const expected = (): string[] => differences.flatMap(({ tests }) => tests).sort();

/** The differences as the table of kernel/README.md. */
export function differencesTable(): string {
  const rows = differences.map(({ what, why, tests }) => `| ${what} | ${why} | ${tests.length} |`);
  return ["| on Node.js | in a page | tests |", "| --- | --- | --- |", ...rows].join("\n");
}

if (require.main === module) console.log(differencesTable());
