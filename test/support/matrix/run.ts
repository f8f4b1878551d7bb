import { spawn } from "node:child_process";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import { Complaint } from "turnwise-kernel/bootstrap/steps.cjs";
import { lanesHere, runLanes, type Counted } from "../laneRun.js";
import { jobsOf } from "../lanes.js";
import { root } from "../paths.js";
import { provideFor } from "../provide.js";
import { readDurations } from "../report/durations.js";
import { runNodes } from "../runNodes.js";
import { testsBelow } from "../testFiles.js";
import { filesOf, parts, type Part } from "./parts.js";
import { record } from "./record.js";

/** What does not depend on a browser. */
const onNodes = ["kernel", "protocol", "runner", "cli", "lib"];

function program(args: readonly string[]): Promise<Counted> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    let last = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      process.stdout.write(text);
      last = text.trimEnd().split("\n").at(-1) || last;
    });
    child.on("close", (code) => {
      const counted = /\d+ (killed|passed)\b.*/.exec(last)?.[0];
      resolve({
        status: code ?? 1,
        said: code === 0 ? (counted ?? "passed") : (counted ?? `failed (status ${String(code)})`),
      });
    });
  });
}

async function run(part: Part): Promise<Counted> {
  if (part.node !== undefined) return runNodes([part.node, ...onNodes]);
  if (part.command) {
    await exclusively(root, () => provideFor([part.command![0]!].filter((file) => file.endsWith(".js"))));
    return program(part.command);
  }
  const files = filesOf(part, testsBelow("build/test"));
  if (files.length === 0) return { status: 1, said: "has no tests" };
  await exclusively(root, () => provideFor(files));
  return runLanes(jobsOf(files, readDurations()), { lanes: lanesHere(), times: true });
}

/** The parts that are named, all without names. */
function chosen(names: readonly string[]): readonly Part[] {
  const unknown = names.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined)
    throw new Complaint(
      `Cannot run the part ${unknown} of the matrix: it must be one of ${parts.map(({ name }) => name).join(", ")}.`,
    );
  return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
}

/** `npm run test:matrix -- [parts]`: runs them one after another and writes each result into test/MATRIX.md; `--list` names all as JSON. */
export async function runMatrix(args: readonly string[]): Promise<number> {
  if (args.includes("--list")) {
    process.stdout.write(JSON.stringify(parts.map(({ name }) => name)) + "\n");
    return 0;
  }
  let status = 0;
  for (const part of chosen(args)) {
    process.stdout.write(`\n${part.name}: ${part.what}\n`);
    const started = Date.now();
    const ended = await run(part);
    await record(part, ended.said, Date.now() - started);
    status ||= ended.status;
  }
  return status;
}
