// Uses internals of turnwise/base.
import fs from "node:fs";
import path from "node:path";
import { Complaint } from "turnwise-kernel/bootstrap/steps.cjs";
import { didYouMean } from "turnwise/internal/base/suggest";
import { root } from "./paths.js";

/** Every compiled test below a folder of the checkout. */
export function testsBelow(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.js"))
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .sort();
}

/** A test or a folder of tests as you name it: by its source, by what is compiled from it, or without `test/`. */
function compiled(arg: string): { readonly files: readonly string[]; readonly isFolder: boolean } {
  const name = path.relative(root, path.resolve(root, arg)).split(path.sep).join("/");
  const inTests = name.replace(/^(build\/)?test(\/|$)/, "").replace(/\.ts$/, ".js");
  const place = path.posix.join("build/test", inTests);
  const stat = fs.statSync(path.join(root, place), { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { files: testsBelow(place), isFolder: true };
  return { files: stat && place.endsWith(".test.js") ? [place] : [], isFolder: false };
}

/** The test, by its source, that is called most like what was typed. */
function nearestTo(arg: string): string {
  const sources = testsBelow("build/test").map((file) =>
    file.replace(/^build\//, "").replace(/\.js$/, ".ts"),
  );
  return didYouMean(arg.startsWith("test/") ? arg : `test/${arg}`, sources);
}

/** Options of mocha whose value is the next argument. */
const takesValue = /^(-[gftR]|--(grep|fgrep|timeout|reporter|reporter-option|retries))$/;

interface Named {
  /** Those that are named one by one run whatever their tier. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly options: readonly string[];
}

/** What arguments name, and what is left for mocha. */
export function named(args: readonly string[]): Named {
  const [files, folders, options]: [string[], string[], string[]] = [[], [], []];
  args.forEach((arg, i) => {
    const isOption = arg.startsWith("-") || takesValue.test(args[i - 1] ?? "");
    const found = isOption ? { files: [], isFolder: false } : compiled(arg);
    if (!isOption && found.files.length === 0)
      throw new Complaint(`Cannot run ${arg}: no such test or folder of tests.${nearestTo(arg)}`);
    if (isOption) options.push(arg);
    else (found.isFolder ? folders : files).push(...found.files);
  });
  return { files, folders, options };
}

/** The compiled tests that arguments name, all tiers of a folder included, and what is left for mocha. */
export function namedTests(args: readonly string[]): { files: string[]; options: string[] } {
  const { files, folders, options } = named(args);
  return { files: [...new Set([...files, ...folders])], options: [...options] };
}
