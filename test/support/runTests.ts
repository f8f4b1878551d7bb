import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import { Complaint } from "turnwise-kernel/bootstrap/steps.cjs";
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

/**
 * `npm test -- [tests] [options of mocha]`: provides the Python that the tests need, then runs them; all without names.
 * `--prepare` only provides, and ends with 1 where something could not be had.
 */
export async function runTests(args: readonly string[]): Promise<number> {
  const { files: named, options: others } = namedTests(args);
  const options = others.filter((arg) => arg !== "--prepare");
  const files = named.length > 0 ? named : testsBelow("build/test");
  const provided = await exclusively(root, () => provideFor(files));
  if (args.includes("--prepare")) return provided ? 0 : 1;
  return mocha([...files, ...options]);
}
