import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import { Complaint } from "turnwise-kernel/bootstrap/steps.cjs";
import { lanesHere, runLanes } from "./laneRun.js";
import { jobsOf } from "./lanes.js";
import { root } from "./paths.js";
import { provideFor } from "./provide.js";

/** Every compiled test below a folder of the checkout. */
function testsBelow(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.js"))
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .sort();
}

/** A test or a folder of tests as a person names it: by its source or by what is compiled from it. */
function compiled(arg: string): string[] {
  const name = path.relative(root, path.resolve(root, arg)).split(path.sep).join("/");
  const place = name.replace(/^test(?=\/|$)/, "build/test").replace(/\.ts$/, ".js");
  if (!place.startsWith("build/test")) return [];
  const stat = fs.statSync(path.join(root, place), { throwIfNoEntry: false });
  return stat?.isDirectory() ? testsBelow(place) : stat ? [place] : [];
}

function mocha(args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const bin = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
    const child = spawn(process.execPath, [bin, ...args], { cwd: root, stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
    child.on("exit", (code) => {
      resolve(code ?? 1);
    });
  });
}

/** The compiled tests that arguments name, and what is left for mocha. */
export function namedTests(args: readonly string[]): { files: string[]; options: string[] } {
  const wrong = args.find((arg) => /^(\.\/)?(build\/)?test\//.test(arg) && compiled(arg).length === 0);
  if (wrong !== undefined)
    throw new Complaint(`Cannot run ${wrong} as it must be a test or a folder of tests: there is none`);
  return { files: args.flatMap(compiled), options: args.filter((arg) => compiled(arg).length === 0) };
}

/** The number of lanes that an option asks for, or what suits the machine: one for tests that are named. */
function lanesOf(option: string | undefined, all: boolean): number {
  if (option === undefined) return all ? lanesHere() : 1;
  const lanes = Number(option.slice("--lanes=".length));
  if (!Number.isInteger(lanes) || lanes < 1)
    throw new Complaint(`Cannot run the tests with ${option} as --lanes must be a whole number from 1`);
  return lanes;
}

/**
 * `npm test -- [tests] [options of mocha]`: provides the Python that the tests need, then runs them; all without names, in two
 * lanes side by side where the machine has two cores. `--lanes=1` runs all in one, `--lanes=2` what is named in two; `--times`
 * prints the times of the slowest files. `--prepare` only provides, and ends with 1 where something could not be had.
 */
export async function runTests(args: readonly string[]): Promise<number> {
  const { files: named, options: others } = namedTests(args);
  const isLanes = (arg: string): boolean => /^--lanes(=|$)/.test(arg);
  const options = others.filter((arg) => !["--prepare", "--times"].includes(arg) && !isLanes(arg));
  const lanes = lanesOf(others.find(isLanes), named.length === 0 && options.length === 0);
  const times = others.includes("--times");
  if (lanes > 1 && options.length > 0)
    throw new Complaint(`Cannot run the tests in lanes as mocha's options are for one: ${options.join(" ")}`);
  const files = named.length > 0 ? named : testsBelow("build/test");
  const provided = await exclusively(root, () => provideFor(files));
  if (args.includes("--prepare")) return provided ? 0 : 1;
  if (lanes > 1) return (await runLanes(jobsOf(files), { lanes, times })).status;
  if (times) process.env["TURNWISE_TEST_TIMES"] = "yes";
  return mocha([...files, ...options]);
}
