// A copy of the compiled checkout in which mistakes are put in, and the runs of tests in it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
/** Where the compiled sources lie in which mistakes are put. */
export const products = ["lib/turnwise/dist", "lib/practice/dist", "lib/course/dist", "kernel/dist"];
const scratch = path.join(root, `build/mutants/scratch-${process.pid}`);
const cache = path.join(root, "build/mutants/reach");
const noSnapshot = { TURNWISE_SNAPSHOT: "off" };

/**
 * Copies what tests load and read. Links would not do, as Node follows them to the checkout; only other packages, which know
 * nothing of this one, are linked.
 */
export function makeScratch() {
  process.once("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));
  for (const folder of [".", "build", "node_modules"])
    for (const name of fs.readdirSync(path.join(root, folder))) {
      const [from, to] = [root, scratch].map((top) => path.join(top, folder, name));
      fs.mkdirSync(path.dirname(to), { recursive: true });
      if (folder === "node_modules")
        fs.symlinkSync(fs.lstatSync(from).isSymbolicLink() ? fs.readlinkSync(from) : from, to);
      else if (/^\.(git|venv|turnwise)$/.test(name) || (folder === "build" && !/^(test|mutants)$/.test(name)))
        fs.symlinkSync(from, to);
      else if (!/^(node_modules|build|mutants)$/.test(name))
        fs.cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    }
}

const { compilerOptions } = ts.readConfigFile(path.join(root, ".tsconfig.base.json"), ts.sys.readFile).config;
const declarations = { composite: false, declaration: false, declarationMap: false };
const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, ...declarations }, root);
const compile = (file, text) =>
  ts.transpileModule(text, { fileName: path.join(root, file), compilerOptions: options }).outputText;

/**
 * What a mutant makes of its compiled file, and where in the compiled file it begins; undefined if the text that it replaces is
 * not there, once, or if nothing of it is left without the types.
 */
export function mutate({ file, search, replace }) {
  const text = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), "utf8") : "";
  if (text.split(search).length !== 2) return undefined;
  const target = file.replace("/src/", "/dist/").replace(/\.ts$/, ".js");
  const before = compile(file, text);
  const after = compile(file, text.split(search).join(replace));
  if (before !== fs.readFileSync(path.join(root, target), "utf8"))
    throw new Error(`${target} is not what ${file} compiles to: run npm run build`);
  if (before === after) return undefined;
  let at = 0;
  while (before[at] === after[at]) at++;
  return { target, after, at };
}

/** Whether the snapshot of the kernel's type service was made from a file: a mutant in it would make another one. */
function isInSnapshot(target) {
  const file = path.join(root, "kernel/dist/snapshot/types.json");
  const name = `"${target.replace("kernel/dist/", "")}"`;
  return fs.existsSync(file) && fs.readFileSync(file, "utf8").includes(name);
}

/** Runs a task, which gets the variables that its processes need, while the copy holds the mutant. */
export async function withMutant({ target, after }, task) {
  fs.writeFileSync(path.join(scratch, target), after);
  try {
    return await task(isInSnapshot(target) ? noSnapshot : {});
  } finally {
    fs.cpSync(path.join(root, target), path.join(scratch, target), { preserveTimestamps: true });
  }
}

// What is running ends with this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** Runs files of tests in one process of mocha; answers what failed. */
async function mocha(files, timeoutMs, env, options = []) {
  const args = [path.join(root, "node_modules/mocha/bin/mocha.js"), "--no-config", "--exit", ...options];
  args.push("--reporter", "json-stream", "--timeout", "60000", "--require", "./test/support/patience.cjs");
  const child = spawn(process.execPath, [...args, ...files], {
    cwd: scratch,
    detached: true, // A group of its own, to end with the processes that it has started.
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, CI: "true", ...env },
  });
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // All have ended.
    }
  };
  const failed = [];
  const seen = [];
  createInterface(child.stdout).on("line", (line) => {
    const [, event] = /^\["(fail|end)"/.exec(line) ?? [];
    if (event) seen.push(event);
    if (event !== "fail") return;
    const { fullTitle: title, file } = JSON.parse(line)[1];
    failed.push({ title, by: file && path.relative(scratch, file) });
  });
  const timer = setTimeout(() => {
    failed.push({ title: "(timed out)" });
    end();
  }, timeoutMs);
  process.once("exit", end);
  const closed = once(child, "close");
  await once(child, "exit");
  clearTimeout(timer);
  process.off("exit", end);
  end();
  // All that it has printed; what runs on in a group of its own may hold the pipe.
  await Promise.race([closed, sleep(2000)]);
  if (failed.length === 0 && !seen.includes("end")) failed.push({ title: "(does not load, or crashes)" });
  return failed;
}

/** The first test that fails in files of tests, or undefined. */
export const firstFailure = async (files, timeoutMs, env) =>
  (await mocha(files, timeoutMs, env, ["--bail"]))[0];

const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** A short name for what files hold. */
export const stateOf = (files) =>
  digest(files.map((file) => digest(fs.readFileSync(path.join(root, file)))).join());

/**
 * Which functions a group of test files calls when nothing is wrong, how long it takes, and which of its files fail in the
 * copy as they are and so can judge nothing. Kept as long as `state` is the same.
 */
export async function reachOf(files, state) {
  const kept = path.join(cache, `${digest(files.join() + stateOf(files) + state)}.json`);
  if (fs.existsSync(kept)) return JSON.parse(fs.readFileSync(kept, "utf8"));
  const folder = path.join(cache, `now-${process.pid}`);
  fs.mkdirSync(folder, { recursive: true });
  const hook = fileURLToPath(new URL("reach.cjs", import.meta.url));
  const env = {
    NODE_OPTIONS: `--require ${JSON.stringify(hook)}`,
    MUTANTS_REACH: folder,
    MUTANTS_ROOT: scratch,
    MUTANTS_PRODUCTS: products.join(","),
  };
  const start = Date.now();
  // What starts from a snapshot would not be seen.
  const whenWatched = await mocha(files, 900_000, { ...env, ...noSnapshot });
  const called = {};
  for (const name of fs.readdirSync(folder).filter((written) => written.endsWith(".json")))
    for (const [file, functions] of Object.entries(JSON.parse(fs.readFileSync(path.join(folder, name)))))
      for (const [range, isCalled] of Object.entries(functions)) (called[file] ??= {})[range] ||= isCalled;
  fs.rmSync(folder, { recursive: true, force: true });
  const failed = whenWatched.length > 0 ? await mocha(files, 900_000, {}) : [];
  const broken = failed.some(({ by }) => !by) ? files : failed.map(({ by }) => by);
  for (const { title, by } of failed)
    console.log(`without any mistake fails ${by ?? files.join()}: ${title}`);
  const result = { ms: Date.now() - start, broken, called };
  fs.writeFileSync(kept, JSON.stringify(result));
  return result;
}

/** Whether a group calls the smallest function around a place. */
export function reaches({ called }, { target, at }) {
  const around = Object.entries(called[target] ?? {})
    .map(([range, isCalled]) => [...range.split("-").map(Number), isCalled])
    .filter(([start, end]) => start <= at && at < end)
    .sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
  return around.length > 0 && around[0][2];
}
