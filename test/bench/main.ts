/**
 * All benchmarks on one page: `npm run bench -- --help` has what it can be told.
 *
 * Each part takes its contenders in turns in a process of its own, prints its table, and leaves a line in
 * `test/bench/history`.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../support/paths.js";
import { engineProgram } from "./engine.js";
import { goalsTable } from "./goals.js";
import { comparison, remember, type Run } from "./history.js";
import { partNames, parts, type Part, type PartName } from "./parts.js";
import { denoProgram } from "./peers/deno.js";
import { pythonWith } from "./peers/peer.js";
import type { Figure } from "./record.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    tables: { type: "boolean", default: false },
    node: { type: "string" },
    quick: { type: "boolean", default: false },
    "no-peers": { type: "boolean", default: false },
    compare: { type: "boolean", default: false },
    history: { type: "string", default: join(root, "test", "bench", "history") },
  },
});

const usage = `Usage: npm run bench -- [${partNames.join(" ")}] [options]

Measures all parts, or those named, against whom it finds, and remembers the run in test/bench/history.

  --tables        only tables, as test/bench/README.md has them, on this Node and then without peers on Node 24; some ten minutes
  --quick         in short, to see whether all runs
  --no-peers      ours alone
  --node 24       the parts in another line of Node, which npm run nodes fetches
  --compare       runs nothing: the newest run of each part against the one before it
  --history DIR   where runs are remembered
  --help          this

npm run bench -- notebooks [FILES] [--against REVISION] [--rounds N]
                  processor time of notebooks here, and in a revision of before, in turns

The peers (PyTorch, JAX, NumPy, ipykernel, Deno): node build/test/bench/peers/install.js installs them into .turnwise;
TURNWISE_BENCH_PYTHON names Pythons that have some of them, between colons, and TURNWISE_BENCH_DENO a Deno.
Each part has options of its own: node build/test/bench/update/main.js --kinds gru --samples 512.`;

function chosenParts(): readonly PartName[] {
  const wrong = positionals.find((name) => !(name in parts));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot run the benchmark "${wrong}": it must be one of ${partNames.join(", ")}.`);
  }
  return positionals.length > 0 ? (positionals as PartName[]) : partNames;
}

const load = (): number => Number(os.loadavg()[0]!.toFixed(1));
const machine = `${os.cpus().length} x ${os.cpus()[0]?.model ?? "unknown"}, ${os.platform()} ${os.arch()}`;

function commit(): string {
  const git = (...args: string[]): string =>
    spawnSync("git", args, { cwd: root }).stdout?.toString().trim() ?? "";
  const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
  return (git("rev-parse", "--short", "HEAD") || "unknown") + (changed ? "+" : "");
}

/** What is compared with and is here. */
function versions(): Record<string, string> {
  const found: Record<string, string> = {};
  if (values["no-peers"]) return found;
  for (const name of ["torch", "jax", "numpy", "ipykernel"]) {
    const python = pythonWith(name);
    if (python === undefined) continue;
    const asked = spawnSync(python, ["-c", `import ${name}; print(${name}.__version__)`]);
    found[name] = asked.stdout.toString().trim();
  }
  const deno = denoProgram();
  if (deno) found["deno"] = spawnSync(deno, ["--version"]).stdout.toString().split(" ")[1]!;
  return found;
}

/** The forms in which a part is run, each with its arguments. */
function formsOf(part: Part, peers: boolean): readonly (readonly string[])[] {
  const forms = values.quick ? [part.quick] : [part.args, ...(part.more ? [part.more] : [])];
  return forms.map((form) => [...form, ...(!peers && part.peers ? ["--no-peers"] : [])]);
}

/** Runs a part in a Node, and puts what it prints or its table on the page; gives its figures. */
async function run(part: Part, program: string, peers: boolean): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(os.tmpdir(), "turnwise-bench-"));
  const file = join(folder, "figures.jsonl");
  const script = join(root, "build", "test", "bench", part.file);
  const hidden = values.tables && part.table !== undefined;
  try {
    for (const args of formsOf(part, peers)) {
      const child = spawn(program, [script, ...args], {
        stdio: ["ignore", hidden ? "ignore" : "inherit", "inherit"],
        env: { ...process.env, ...part.env, TURNWISE_BENCH_RECORD: file },
      });
      const code = await new Promise((resolve) => child.on("close", resolve));
      if (code !== 0) throw new Error(`it ended with ${String(code)}`);
    }
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    const figures = lines.map((line) => JSON.parse(line) as Figure);
    if (part.table) console.log(`${hidden ? "" : "\n"}${part.table(figures)}`);
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Pass {
  readonly program: string;
  readonly node: string;
  readonly names: readonly PartName[];
  readonly peers: boolean;
}

/** Runs parts in one Node; a part that fails is told, and the others are run all the same. */
async function page({ program, node, names, peers }: Pass): Promise<void> {
  const found = peers ? versions() : {};
  const compared = Object.entries(found).map(([name, version]) => `${name} ${version}`);
  console.log(`# turnwise ${commit()}, Node ${node}\n`);
  console.log(`${machine}; load ${load()}; ${new Date().toISOString().slice(0, 16)}Z.`);
  console.log(`Compared with ${compared.join(", ") || "nothing else"}${values.quick ? "; short form" : ""}.`);
  const measured = new Map<PartName, readonly Figure[]>();
  for (const name of names) {
    const part: Part = parts[name];
    console.log(`\n## ${part.title}\n`);
    const before = load();
    try {
      const figures = await run(part, program, peers);
      const entry: Run = {
        ...{ part: name, commit: commit(), date: new Date().toISOString(), quick: values.quick, machine },
        ...{ node, load: [before, load()], versions: found, figures },
      };
      remember(values.history, entry);
      measured.set(name, figures);
      console.log(
        `\nLoad ${before} to ${load()}.${values.tables ? "" : ` ${comparison(values.history, name)}`}`,
      );
    } catch (error) {
      process.exitCode = 1;
      console.log(`\nThe benchmark ${name} must end with 0: ${(error as Error).message}.`);
    }
  }
  const goals = goalsTable(measured);
  if (goals !== "") console.log(`\n## Goals\n\n${goals}`);
}

/** Another line of Node, which must be here. */
function engine(line: string): Pick<Pass, "program" | "node"> {
  const program = engineProgram(line);
  if (program === undefined) {
    throw new RangeError(
      `Cannot run the benchmarks in Node ${line}: it must be another one of 20, 22, 24, 26, and be here.\nTo fetch them, run: npm run nodes`,
    );
  }
  const node = spawnSync(program, ["--version"]).stdout.toString().trim().slice(1);
  return { program, node };
}

async function main(): Promise<void> {
  if (values.help) {
    console.log(usage);
    return;
  }
  const names = chosenParts();
  if (values.compare) {
    console.log(names.map((name) => comparison(values.history, name)).join("\n\n"));
    return;
  }
  const own = { program: process.execPath, node: process.versions.node };
  const here = values.node === undefined ? own : engine(values.node);
  await page({ ...here, names, peers: !values["no-peers"] });
  if (!values.tables || values.node !== undefined) return;
  // The rows of updates have Node 24 beside this one; the other parts are run in it as well.
  if (engineProgram("24") === undefined) {
    console.log("\nNode 24 is this one, or is not here: npm run nodes fetches it.");
    return;
  }
  const others = names.filter((name) => name !== "update");
  console.log("");
  await page({ ...engine("24"), names: others, peers: false });
}

main().catch((error: unknown) => {
  console.error(error instanceof RangeError ? error.message : error);
  process.exitCode = 1;
});
