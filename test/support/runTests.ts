import { spawn } from "node:child_process";
import path from "node:path";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import { Complaint } from "turnwise-kernel/bootstrap/steps.cjs";
import { lanesHere, runLanes } from "./laneRun.js";
import { jobsOf, shardOf } from "./lanes.js";
import { runMatrix } from "./matrix/run.js";
import { root } from "./paths.js";
import { provideFor } from "./provide.js";
import { readDurations } from "./report/durations.js";
import { named, testsBelow } from "./testFiles.js";
import { inTier, notRun, scriptOf, tierOf } from "./tiers.js";

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

const flags = ["tier", "lanes", "shard", "prepare", "times", "record"] as const;
type Flag = (typeof flags)[number];

/** Our own flags, without their dashes, and the other arguments. */
function ownFlags(args: readonly string[]): { own: Partial<Record<Flag, string>>; others: string[] } {
  const own: Partial<Record<Flag, string>> = {};
  const others = args.filter((arg) => {
    const [, name, value = ""] = /^--(\w+)(?:=(.*))?$/.exec(arg) ?? [];
    const isOwn = (flags as readonly (string | undefined)[]).includes(name);
    if (isOwn) own[name as Flag] = value;
    return !isOwn;
  });
  return { own, others };
}

function wholeNumber(flag: string, text: string, most = Infinity): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  const range = most === Infinity ? "from 1" : `from 1 to ${String(most)}`;
  throw new Complaint(`Cannot run the tests: ${flag} must be an integer ${range}, got ${text || "none"}.`);
}

/**
 * `npm test -- [tests] [options of mocha]`: installs what the chosen tests need, then runs them side by side. A folder stands for its
 * fast tests, with `--tier=slow` for all but those of the matrix; a file runs whatever its tier. Options of mocha, such as `-g`, run
 * everything in one process. `--lanes=2` sets how many run at once, `--shard=1/4` takes a share of the jobs, `--times` prints where
 * the time went, `--record` writes test/durations.json, and `--prepare` only installs. `--matrix` hands over to {@link runMatrix}.
 */
export async function runTests(args: readonly string[]): Promise<number> {
  if (args[0] === "--matrix") return runMatrix(args.slice(1));
  const { own, others } = ownFlags(args);
  const { files, folders, options } = named(others);
  const tier = own.tier === "slow" ? "slow" : "fast";
  const all = testsBelow("build/test");
  const asked = files.length + folders.length > 0 ? [...new Set([...files, ...folders])] : all;
  const chosen = asked.filter((file) => files.includes(file) || inTier([file], tier).length > 0);
  if (chosen.length === 0)
    throw new Complaint(
      `Cannot run ${others.join(" ")}: ${scriptOf[tier]} has no such tests. Try ${scriptOf[tierOf(asked[0]!)]} -- ${others.join(" ")}.`,
    );
  const provided = await exclusively(root, () => provideFor(chosen));
  if (own.prepare !== undefined) return provided ? 0 : 1;
  if (options.length > 0) return mocha([...chosen, ...options]);
  const known = readDurations();
  const [shard, shards] = (own.shard ?? "1/1").split("/");
  const count = wholeNumber("--shard=k/n", shards ?? "");
  const jobs = shardOf(jobsOf(chosen, known), wholeNumber("--shard=k/n", shard!, count), count, known);
  const ran = jobs.flatMap((job) => job.files);
  const { status } = await runLanes(jobs, {
    lanes: own.lanes === undefined ? lanesHere() : wholeNumber("--lanes", own.lanes),
    times: own.times !== undefined,
    record: own.record !== undefined,
    notRun: notRun(asked, ran),
  });
  return status;
}
