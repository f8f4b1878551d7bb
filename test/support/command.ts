import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { root } from "./paths.js";

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Node with the given arguments to its end. */
export function runNode(
  args: string[],
  o: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: o.cwd ?? root,
      env: { ...process.env, ...o.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (data: string) => (stdout += data));
    child.stderr.setEncoding("utf8").on("data", (data: string) => (stderr += data));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}

/** Runs the `turnwise` command. */
export function turnwise(
  args: string[],
  o: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> {
  return runNode([path.join(root, "lib", "turnwise", "bin", "turnwise.cjs"), ...args], o);
}

/** Runs command lines of `turnwise` one after another in one process, which saves the start of Node and the loading of the library for each. */
export async function turnwiseEach(
  commandLines: readonly (readonly string[])[],
  o: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Finished[]> {
  const script = `
    const { main } = require(${JSON.stringify(path.join(root, "lib", "turnwise", "dist", "command", "main.js"))});
    const out = process.stdout.write.bind(process.stdout);
    (async () => {
      const all = [];
      for (const args of JSON.parse(process.argv[1])) {
        const said = { stdout: "", stderr: "" };
        for (const name of ["stdout", "stderr"]) process[name].write = (text) => ((said[name] += text), true);
        const code = await main(args, { root: process.cwd(), argv: [] });
        all.push({ code, ...said });
        process.exitCode = undefined;
      }
      out(JSON.stringify(all));
    })();`;
  const { code, stdout, stderr } = await runNode(["-e", script, JSON.stringify(commandLines)], o);
  if (code !== 0) throw new Error(`The command lines have ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout) as Finished[];
}

const folders: string[] = [];

/** A new empty folder; `removeTemporaryFolders` in an after hook removes it. */
export function temporaryFolder(name = "turnwise"): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  folders.push(folder);
  return folder;
}

/** Paths in a folder that a suite has for itself; it is removed after the last of its tests. */
export function pathsOfSuite(): (name: string) => string {
  let folder = "";
  before(() => {
    folder = temporaryFolder();
  });
  after(removeTemporaryFolders);
  return (name) => path.join(folder, name);
}

export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
}
