import { spawn } from "node:child_process";
import path from "node:path";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import { Complaint } from "turnwise-kernel/bootstrap/steps.cjs";
import { otherNodes, provideOtherNodes } from "./otherNodes.js";
import { lanesHere, runLanes, type Counted } from "./laneRun.js";
import { jobsOf } from "./lanes.js";
import { root } from "./paths.js";
import { readDurations } from "./report/durations.js";
import { namedTests } from "./testFiles.js";
import { inTier } from "./tiers.js";

/** What differs between engines first: numbers, memory, threads, modules, a kernel's processes. */
const short = [
  ...["test/lib/base", "test/lib/env", "test/lib/policy", "test/lib/rollout", "test/lib/tensor"],
  ...["test/lib/sweep/sweep.slow.test.ts", "test/lib/train/train.test.ts", "test/kernel/session", "test/cli"],
];

interface Engine {
  readonly version: string;
  readonly program: string;
}

const engines = (): readonly Engine[] =>
  [{ version: process.versions.node, program: process.execPath }, ...otherNodes].sort(
    (a, b) => parseInt(a.version) - parseInt(b.version),
  );

/** What a test starts by the name `node` must be this version as well. */
const environmentOf = ({ program }: Engine): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [path.dirname(program), process.env["PATH"] ?? ""].join(path.delimiter),
});

/** Runs tests in one version of Node; gives the last line, which counts, and the exit status. */
function mocha(engine: Engine, args: readonly string[]): Promise<Counted> {
  const bin = path.join(root, "node_modules", "mocha", "bin", "mocha.js");
  return new Promise((resolve, reject) => {
    const child = spawn(engine.program, [bin, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: environmentOf(engine),
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
    let tail = "";
    child.stdout.on("data", (chunk: Buffer) => {
      process.stdout.write(chunk);
      tail = (tail + chunk.toString()).slice(-500);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ said: /\d+ passed, .*/.exec(tail)?.[0] ?? "ended early", status: code ?? 1 });
    });
  });
}

/** Compiles the native kernels that this version wants: newer ones round products as WebAssembly's relaxed SIMD does. */
function compileKernels({ program }: Engine): Promise<void> {
  const native = JSON.stringify(path.join(root, "kernel", "bootstrap", "native.cjs"));
  const script = `require(${native}).compileKernels(${JSON.stringify(root)})`;
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["-e", script], { cwd: root, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", () => {
      resolve();
    });
  });
}

/**
 * `npm run nodes -- [24 26] [tests] [options of mocha]`: runs tests in each line of Node that is supported, or in those named;
 * without tests, a part that takes a few minutes in each.
 */
export async function runNodes(args: readonly string[]): Promise<Counted> {
  const lines = args.filter((arg) => /^\d+$/.test(arg));
  const chosen = engines().filter(
    ({ version }) => lines.length === 0 || lines.includes(version.split(".")[0]!),
  );
  if (chosen.length < lines.length) {
    const known = engines().map(({ version }) => version.split(".")[0]);
    throw new Complaint(
      `Cannot run the tests in Node ${lines.join(" and ")}: each must be one of ${known.join(", ")}.`,
    );
  }
  const rest = args.filter((arg) => !lines.includes(arg));
  const { files, options } = namedTests(rest);
  const tests = inTier(files.length > 0 ? files : namedTests(short).files, "slow");
  await exclusively(root, () => provideOtherNodes());
  let status = 0;
  const summary: string[] = [];
  const lanes = options.length > 0 ? 1 : lanesHere();
  for (const engine of chosen) {
    process.stdout.write(`\nNode ${engine.version}\n`);
    await compileKernels(engine);
    const ended =
      lanes === 1
        ? await mocha(engine, [...tests, ...options])
        : await runLanes(jobsOf(tests, readDurations()), {
            lanes,
            program: engine.program,
            env: environmentOf(engine),
            store: false,
          });
    summary.push(`Node ${engine.version}: ${ended.said}`);
    status ||= ended.status;
  }
  process.stdout.write(`\n${summary.join("\n")}\n`);
  return { status, said: summary.join("; ") };
}
