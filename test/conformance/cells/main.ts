import { fork, type ChildProcess } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { randomOf } from "./random.js";
import type { Task, Told } from "./tell.js";

const usage = `Usage: node build/test/conformance/cells/main.js [options]

  --test262 <folder>     a checkout of test262
  --typescript <folder>  the folder tests/cases/conformance of TypeScript
  --only <text>          only files whose path has this
  --seed <n>             decides where files are cut, and which are in a sample (0)
  --sample <n>           of each collection at most so many files
  --keep <file>          stores what came of each file, and does not run again what is stored there
  --list <n>             how many differences are listed (50)`;

/** Folders of test262 whose files say what a text means, not what a library function does. */
const folders = [
  ...["arguments-object", "asi", "block-scope", "comments", "computed-property-names", "destructuring"],
  ...[
    "directive-prologue",
    "eval-code",
    "expressions",
    "function-code",
    "future-reserved-words",
    "global-code",
  ],
  ...["identifier-resolution", "identifiers", "keywords", "line-terminators", "literals", "punctuators"],
  ...[
    "reserved-words",
    "rest-parameters",
    "source-text",
    "statementList",
    "statements",
    "types",
    "white-space",
  ],
];

const patienceMs = 30_000;
/** A process that has made so many realms is followed by a new one, for the sake of memory. */
const filesOfProcess = 400;

interface Tally {
  files: number;
  equal: number;
}

async function main(): Promise<void> {
  const { values: asked } = parseArgs({
    options: {
      test262: { type: "string" },
      typescript: { type: "string" },
      only: { type: "string" },
      seed: { type: "string", default: "0" },
      sample: { type: "string" },
      keep: { type: "string" },
      list: { type: "string", default: "50" },
      help: { type: "boolean" },
    },
  });
  if (asked.help || (asked.test262 === undefined && asked.typescript === undefined)) {
    console.log(usage);
    return;
  }
  const seed = Number(asked.seed);
  for (const [kind, root, under] of [
    ["test262", asked.test262, folders.map((one) => join("test/language", one))],
    ["typescript", asked.typescript, ["."]],
  ] as const) {
    if (root === undefined) continue;
    const all = under
      .map((one) => join(root, one))
      .filter((one) => existsSync(one))
      .flatMap((one) => filesOf(one))
      .filter((path) => path.includes(asked.only ?? ""));
    const sample = sampled(all, asked.sample === undefined ? all.length : Number(asked.sample), seed);
    await compareAll(kind, root, sample, {
      seed,
      all: all.length,
      list: Number(asked.list),
      keep: asked.keep,
    });
  }
}

async function compareAll(
  kind: Task["kind"],
  root: string,
  paths: readonly string[],
  o: { seed: number; all: number; list: number; keep: string | undefined },
): Promise<void> {
  const began = Date.now();
  const runner = new Runner();
  const stored = storedIn(o.keep);
  const groups = new Map<string, Tally>();
  const leftOut = new Map<string, number>();
  const ways = new Map<string, number>();
  const differences: string[] = [];
  let [cells, barred, byTypes] = [0, 0, 0];
  for (const [i, path] of paths.entries()) {
    if (i % 500 === 0) console.error(`${kind}: ${i} of ${paths.length}, ${differences.length} differ`);
    const told = stored.get(path) ?? (await runner.run({ kind, root, path, seed: o.seed }));
    if (o.keep !== undefined && !stored.has(path))
      appendFileSync(o.keep, `${JSON.stringify([path, told])}\n`);
    if ("leftOut" in told) {
      leftOut.set(told.leftOut, (leftOut.get(told.leftOut) ?? 0) + 1);
      continue;
    }
    const name = relative(kind === "test262" ? join(root, "test/language") : root, path);
    const group = name
      .split("/")
      .slice(0, kind === "test262" ? 1 : 1)
      .join("/");
    const tally = groups.get(group) ?? { files: 0, equal: 0 };
    groups.set(group, tally);
    tally.files++;
    cells += told.cells;
    barred += told.barred;
    if (told.byTypes) byTypes++;
    ways.set(told.file, (ways.get(told.file) ?? 0) + 1);
    if (told.difference === undefined) tally.equal++;
    else differences.push(`${told.byCut ? "(cut) " : ""}${name}: ${told.difference.replace(/\n/g, "\\n")}`);
  }
  runner.close();
  const total = sum([...groups.values()]);
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(
    `\n${kind}: ${o.all} files, ${paths.length} looked at, ${total.files} run in ${cells} cells (seed ${o.seed}, ${seconds} s)`,
  );
  for (const [why, count] of leftOut) console.log(`  left out ${count}: ${why}`);
  console.log(`  places not cut, as a name of a later cell is used before: ${barred}`);
  if (byTypes > 0) console.log(`  refused by the check of types, as V8 refuses the file: ${byTypes}`);
  console.log(
    `  as files: ${[...ways]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 8)
      .map(([way, count]) => `${way} ${count}`)
      .join(", ")}`,
  );
  for (const [group, tally] of [...groups].sort()) console.log(`  ${group}: ${shareOf(tally)}`);
  console.log(`  all: ${shareOf(total)}`);
  for (const line of differences.slice(0, o.list)) console.log(`  - ${line}`);
  if (differences.length > o.list) console.log(`  and ${differences.length - o.list} more`);
}

/** Sends files to a process of its own, which is ended if it takes too long. */
class Runner {
  private child: ChildProcess | undefined;
  private count = 0;

  run(task: Task): Promise<Told> {
    if (this.count++ % filesOfProcess === 0) this.close();
    const child = (this.child ??= fork(join(__dirname, "tell.js"), {
      silent: true,
      execArgv: ["--experimental-vm-modules"],
    }));
    return new Promise((resolve) => {
      const end = (told: Told): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(told);
      };
      const failed = (difference: string): void => {
        this.close();
        end({ cells: 1, barred: 0, difference, file: "does not end" });
      };
      const timer = setTimeout(() => failed(`does not end within ${patienceMs / 1000} s`), patienceMs);
      child.once("message", end);
      child.once("exit", (code) => failed(`ends the process with ${code}`));
      child.send(task);
    });
  }

  close(): void {
    this.child?.removeAllListeners();
    this.child?.kill("SIGKILL");
    this.child = undefined;
  }
}

function storedIn(path: string | undefined): Map<string, Told> {
  if (path === undefined || !existsSync(path)) return new Map();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => JSON.parse(line) as [string, Told]));
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesOf(path);
      return /\.[jt]s$/.test(entry.name) ? [path] : [];
    });
}

function sampled(paths: readonly string[], size: number, seed: number): string[] {
  if (size >= paths.length) return [...paths];
  const keyed = paths.map((path) => ({ path, key: randomOf(seed, path.split("/").slice(-3).join("/"))() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, size)
    .map(({ path }) => path)
    .sort();
}

function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({ files: a.files + b.files, equal: a.equal + b.equal }), {
    files: 0,
    equal: 0,
  });
}

/** The share and its interval of 95% by Wilson, which holds near 1, too. */
function shareOf({ files, equal }: Tally): string {
  if (files === 0) return "none";
  const [z, p] = [1.96, equal / files];
  const middle = (p + (z * z) / (2 * files)) / (1 + (z * z) / files);
  const half = (z * Math.sqrt((p * (1 - p)) / files + (z * z) / (4 * files * files))) / (1 + (z * z) / files);
  const percent = (one: number): string => (100 * one).toFixed(2);
  return `${equal} of ${files} equal, ${percent(p)} % (${percent(middle - half)} to ${percent(Math.min(1, middle + half))})`;
}

void main();
