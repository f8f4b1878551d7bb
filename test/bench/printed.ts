import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../support/paths.js";

/** The output of a benchmark without its peers, so that nothing but Node is needed. */
export function printed(name: string, args: readonly string[]): Promise<string> {
  return printedBy(join(name, "main.js"), ["--no-peers", ...args]);
}

/** The output of a program of this folder; an error with what it wrote if it fails. */
export function printedBy(name: string, args: readonly string[]): Promise<string> {
  const file = join(root, "build", "test", "bench", name);
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${name} ended with ${code}: ${errors}`));
    });
  });
}
