// Mutation testing of the rooms that hold the mathematics: `npm run mutants`, see "Mutation testing" in test/README.md.
import "./test/mutants/mocha12.cjs";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { resultsFolder } from "./test/mutants/summary.mjs";

// In every process that Stryker starts.
process.env.NODE_OPTIONS = `--require ${JSON.stringify(fileURLToPath(import.meta.resolve("./test/mutants/mocha12.cjs")))}`;

const { mutate } = parseArgs({ options: { mutate: { type: "string", short: "m" } }, strict: false }).values;
const rooms = ["rule", "train", "exact"].filter(
  (room) => !mutate || mutate.includes(`lib/turnwise/src/${room}/`),
);
const anyRoom = rooms.length === 1 ? rooms[0] : `{${rooms}}`;

/** Tests that compare with another process: a mutant lives in one process only, so such a test would kill it by accident. */
const inOtherProcesses = ["build/test/lib/train/process.test.js"];

/** The rooms' own tests must kill their mutants; that other rooms notice is no help to somebody who changes one. */
const specs = rooms.flatMap((room) => {
  const folder = `build/test/lib/${room}`;
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".test.js"));
  return names.map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")));
});

/** Durations of the last run of the tests: with the quick ones first, most mutants are killed within milliseconds. */
function durations() {
  try {
    return JSON.parse(readFileSync(".turnwise/test-durations.json", "utf8"));
  } catch {
    return {};
  }
}
const took = durations();
specs.sort((a, b) => (took[a] ?? 0) - (took[b] ?? 0));
// MUTANTS_TESTS_UNDER=1000 leaves out files of tests that took a second or longer; a run without it then asks those, too,
// about what lived.
const under = Number(process.env.MUTANTS_TESTS_UNDER ?? Infinity);

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  mutate: [`lib/turnwise/src/${anyRoom}/**/*.ts`],
  // The sandbox holds sources and tests only; build.cjs links its own `turnwise` and compiles both. The compiled tests of
  // the repository are there for the report, which wants to know every file of tests.
  ignorePatterns: [
    "/*",
    "!/lib",
    "!/test",
    "!/build",
    "/build/*",
    "!/build/test",
    "/build/test/*",
    "!/build/test/lib",
    "!/package.json",
    "!/tsconfig.json",
    "!/.tsconfig.base.json",
    "dist",
    "/test/{browser,notebooks,protocol,runner,bench,course,kernel,cli}",
  ],
  symlinkNodeModules: false,
  tempDirName: "build/mutants/sandbox",
  buildCommand: "node test/mutants/build.cjs",
  checkers: [],
  disableTypeChecks: false,
  testRunner: "mocha",
  // By address: the test process looks from inside the sandbox, whose node_modules holds one link only.
  plugins: [
    import.meta.resolve("@stryker-mutator/mocha-runner"),
    import.meta.resolve("./test/mutants/reporter.mjs"),
  ],
  mochaOptions: {
    "no-config": true,
    require: ["test/mutants/setup.cjs"],
    spec: specs.filter((spec) => (took[spec] ?? 0) < under),
    ignore: inOtherProcesses,
  },
  coverageAnalysis: "perTest",
  concurrency: 1,
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 20,
  reporters: ["progress-append-only", "summary", "html"],
  htmlReporter: { fileName: "build/mutants/report.html" },
  // Keeps what earlier runs found out of other files, so that a room can be measured in parts.
  incremental: true,
  incrementalFile: `${resultsFolder}/${rooms.join("-")}.json`,
};
