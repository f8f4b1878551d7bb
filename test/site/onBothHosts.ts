import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partsFolder } from "../support/kernelSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { differences } from "./differences.js";

/** The tests of the Node kernel that also hold for the kernel in a page, by file: each list is run by a process of its own. */
const suites = [
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

/** What the tests give in a page. */
export interface Outcome {
  readonly passed: number;
  /** The full titles of those that fail. */
  readonly failed: readonly string[];
}

interface Report {
  readonly passes: readonly unknown[];
  readonly failures: readonly { readonly fullTitle: string }[];
}

/** Runs all suites against the kernel in headless browsers. */
export async function runInPage(): Promise<Outcome> {
  // Made once, for all processes.
  await partsFolder();
  const outcomes = await Promise.all(suites.map(run));
  return {
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
  const files = names.map((name) => `build/test/kernel/${name}.test.js`);
  try {
    const child = spawn(process.execPath, [mocha, ...args, ...files], {
      cwd: root,
      env: { ...process.env, TURNWISE_HOST: "browser" },
      stdio: "ignore",
    });
    await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
    const { passes, failures } = JSON.parse(readFileSync(output, "utf8")) as Report;
    return { passed: passes.length, failed: failures.map(({ fullTitle }) => fullTitle) };
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
