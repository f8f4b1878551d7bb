import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../support/command.js";
import { isRunning, until } from "../support/process.js";
import { root } from "../support/paths.js";

/** What the stand-in for `jupyter` was started with. */
export interface Seen {
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  pid: number;
}

/** A project with notebooks, a blank in its path, and a stand-in for `jupyter` that is first on PATH. */
export function project(): { folder: string; env: NodeJS.ProcessEnv; home: string } {
  const folder = fs.realpathSync(temporaryFolder("turn wise"));
  const bin = path.join(folder, "bin");
  const home = path.join(folder, "home");
  for (const name of [bin, home, path.join(folder, "notebooks")]) fs.mkdirSync(name);
  fs.copyFileSync(path.join(root, "test", "support", "fake-jupyter.cjs"), path.join(bin, "jupyter"));
  const env: NodeJS.ProcessEnv = { PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}`, HOME: home };
  for (const name of ["VIRTUAL_ENV", "CONDA_PREFIX", "JUPYTER_PATH", "XDG_DATA_HOME"]) env[name] = "";
  return { folder, env, home };
}

interface Running {
  child: ChildProcess;
  stdout(): string;
  exit: Promise<number | null>;
  seen: Seen;
}

const started: Running[] = [];

/** Starts `turnwise lab` and waits until it says that Lab answers. */
export async function start(folder: string, env: NodeJS.ProcessEnv, args: string[] = []): Promise<Running> {
  const bin = path.join(root, "lib", "turnwise", "bin", "turnwise.cjs");
  const child = spawn(process.execPath, [bin, "lab", ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let text = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (data: string) => (text += data));
  child.stderr.setEncoding("utf8").on("data", (data: string) => (errors += data));
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  await until("JupyterLab to answer", () => /answers at/.test(text) || child.exitCode !== null);
  assert.match(text, /answers at/, errors);
  const file = path.join(folder, ".turnwise", "runtime", "seen.json");
  const running = {
    child,
    exit,
    stdout: () => text,
    seen: JSON.parse(fs.readFileSync(file, "utf8")) as Seen,
  };
  started.push(running);
  return running;
}

/** Ends what was started, to be called after each test. */
export function endStarted(): void {
  for (const { child, seen } of started.splice(0)) {
    child.kill("SIGKILL");
    if (isRunning(seen.pid)) process.kill(seen.pid, "SIGKILL");
  }
}
