/**
 * The processor time of notebooks, run from their first cell to their last in a kernel of their own:
 * `npm run bench -- notebooks [FILES] [--against REVISION] [--rounds N]`.
 *
 * With `--against`, that revision is checked out and built below `build/against`, and each notebook is run in turns here and
 * there, with the file that each has.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../support/paths.js";
import { median, short, table } from "./peers/statistics.js";
import { record, type Figure } from "./record.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: "string" }, rounds: { type: "string", default: "1" } },
});

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status === 0) return stdout.trim();
  throw new RangeError(
    `Cannot compare with another revision: git ${args.join(" ")} must end with 0, got ${stderr.trim()}.`,
  );
}

/** Checks a revision out and builds it, unless that was done before; gives its folder. */
function built(revision: string): string {
  const commit = git("rev-parse", "--short", `${revision}^{commit}`);
  const folder = join(root, "build", "against", commit);
  if (!existsSync(join(folder, "package.json"))) {
    mkdirSync(join(root, "build", "against"), { recursive: true });
    git("worktree", "prune");
    git("worktree", "add", "--detach", folder, commit);
  }
  if (!existsSync(join(folder, "node_modules"))) {
    // Links between the workspaces lead to the folders beside them, so that each checkout has its own.
    cpSync(join(root, "node_modules"), join(folder, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  const kernels = join(folder, "kernel", "bootstrap", "native.cjs");
  const compile = `require(${JSON.stringify(kernels)}).compileKernels(${JSON.stringify(folder)})`;
  for (const [program, args] of [
    ["npm", ["run", "--silent", "build"]],
    ...(existsSync(kernels) ? [[process.execPath, ["-e", compile]] as const] : []),
  ] as const) {
    const { status } = spawnSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0)
      throw new Error(`Cannot compare with ${revision}: it must build, but ${program} ended with ${status}.`);
  }
  return folder;
}

interface Took {
  readonly wall: number;
  readonly processor: number;
}

/** Seconds of a notebook and of all processes that it starts: the shell counts what it has waited for. */
async function run(folder: string, notebook: string): Promise<Took> {
  const begin = performance.now();
  const script =
    'TIMEFORMAT="processor %U %S"; time "$0" lib/turnwise/bin/turnwise.cjs run "$1" >/dev/null 2>&1';
  const child = spawn("bash", ["-c", script, process.execPath, notebook], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  const times = /processor ([\d.]+) ([\d.]+)/.exec(said);
  if (code !== 0 || !times)
    throw new Error(`Cannot measure ${notebook}: it must run to its end in ${folder}: ${said}.`);
  return { wall: (performance.now() - begin) / 1000, processor: Number(times[1]) + Number(times[2]) };
}

async function main(): Promise<void> {
  const before = values.against === undefined ? undefined : built(values.against);
  const files = (
    positionals.length > 0
      ? positionals.map((file) => relative(root, file))
      : readdirSync(join(root, "notebooks"))
          .filter((name) => name.endsWith(".ipynb"))
          .map((name) => join("notebooks", name))
  ).filter((file) => before === undefined || existsSync(join(before, file)));
  const trees = [root, ...(before === undefined ? [] : [before])];
  const figures: Figure[] = [];
  const rows: string[][] = [];
  const sums = trees.map(() => ({ wall: 0, processor: 0 }));
  for (const file of files.sort()) {
    const took = trees.map((): Took[] => []);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, tree] of trees.entries()) took[i]!.push(await run(tree, file));
    }
    const of = (i: number, which: keyof Took): number => median(took[i]!.map((one) => one[which]));
    const middle = trees.map((_, i) => ({ wall: of(i, "wall"), processor: of(i, "processor") }));
    middle.forEach(({ wall, processor }, i) => {
      sums[i]!.wall += wall;
      sums[i]!.processor += processor;
      const contender = i === 0 ? "turnwise" : `turnwise ${values.against}`;
      figures.push({ work: basename(file), contender, wall: 1000 * wall, processor: 1000 * processor });
    });
    rows.push([basename(file), ...cells(middle)]);
    process.stderr.write(`${rows.at(-1)!.join("  ")}\n`);
  }
  if (rows.length > 1) rows.push(["all", ...cells(sums)]);
  record(figures);
  const head = [
    "processor time, s",
    "this",
    ...(before === undefined ? [] : [values.against!, "times this"]),
  ];
  console.log(table([...head, "this, by the clock"], rows));
}

function cells([own, before]: readonly Took[]): string[] {
  const old = before === undefined ? [] : [short(before.processor), short(before.processor / own!.processor)];
  return [short(own!.processor), ...old, short(own!.wall)];
}

main().catch((error: unknown) => {
  console.error(error instanceof RangeError ? error.message : error);
  process.exitCode = 1;
});
