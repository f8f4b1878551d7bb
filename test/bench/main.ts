/**
 * All benchmarks on one page: `npm run bench -- [update rollout tabular endToEnd kernel sweep] [--quick] [--no-peers]`.
 *
 * Each part takes its contenders in turns in a process of its own, prints its table, and leaves a line in
 * `test/bench/history`. `--compare` runs nothing and compares the newest line of each part with the one before.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../support/paths.js";
import { comparison, remember, type Run } from "./history.js";
import { partNames, parts, type Part, type PartName } from "./parts.js";
import { denoProgram } from "./peers/deno.js";
import { pythonWith } from "./peers/peer.js";
import type { Figure } from "./record.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    "no-peers": { type: "boolean", default: false },
    compare: { type: "boolean", default: false },
    history: { type: "string", default: join(root, "test", "bench", "history") },
  },
});

function chosenParts(): readonly PartName[] {
  const wrong = positionals.find((name) => !(name in parts));
  if (wrong !== undefined) {
    throw new RangeError(
      `Cannot run the benchmark "${wrong}" as it must be one of ${partNames.join(", ")}: it is none of them`,
    );
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

function argumentsOf(part: Part): readonly string[] {
  return [
    ...(values.quick ? part.quick : part.args),
    ...(values["no-peers"] && part.peers ? ["--no-peers"] : []),
  ];
}

/** Runs a part, whose table goes to the page; gives its figures. */
async function run(name: PartName): Promise<readonly Figure[]> {
  const part: Part = parts[name];
  const folder = mkdtempSync(join(os.tmpdir(), "turnwise-bench-"));
  const file = join(folder, "figures.jsonl");
  const script = join(root, "build", "test", "bench", part.file);
  const child = spawn(process.execPath, [script, ...argumentsOf(part)], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TURNWISE_BENCH_RECORD: file },
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  const figures = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0)
    throw new Error(`Cannot go on as the benchmark ${name} must end with 0: it ended with ${String(code)}`);
  return figures.map((line) => JSON.parse(line) as Figure);
}

async function main(): Promise<void> {
  const names = chosenParts();
  if (values.compare) {
    console.log(names.map((name) => comparison(values.history, name)).join("\n\n"));
    return;
  }
  const peers = versions();
  const compared = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  console.log(`# turnwise ${commit()}, Node ${process.versions.node}\n`);
  console.log(`${machine}; load ${load()}; ${new Date().toISOString().slice(0, 16)}Z.`);
  console.log(`Compared with ${compared.join(", ") || "nothing else"}${values.quick ? "; short form" : ""}.`);
  for (const name of names) {
    console.log(`\n## ${parts[name].title}\n`);
    const before = load();
    const figures = await run(name);
    const entry: Run = {
      ...{ part: name, commit: commit(), date: new Date().toISOString(), quick: values.quick, machine },
      ...{ node: process.versions.node, load: [before, load()], versions: peers, figures },
    };
    remember(values.history, entry);
    console.log(`\nLoad ${before} to ${load()}. ${comparison(values.history, name)}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof RangeError ? error.message : error);
  process.exitCode = 1;
});
