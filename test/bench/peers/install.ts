/** Installs what the benchmarks compare with into `.turnwise`: `node build/test/bench/peers/install.js`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchmarks } from "turnwise-kernel/bootstrap/python-packages.cjs";
import { denoFolder, denoPackage } from "./deno.js";
import { benchmarkPython, benchmarkVenv } from "./peer.js";

function call(program: string, args: readonly string[], cwd?: string): void {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", cwd });
  if (status === 0) return;
  throw new Error(
    `Cannot install the peers: ${program} must end with 0: ${error?.message ?? `it ended with ${status}`}`,
  );
}

call("python3", ["-m", "venv", benchmarkVenv]);
call(benchmarkPython, ["-m", "pip", "install", "--disable-pip-version-check", ...benchmarks]);
mkdirSync(denoFolder, { recursive: true });
// A package.json of its own, or npm would install into the checkout's.
writeFileSync(join(denoFolder, "package.json"), '{ "private": true }\n');
call("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", denoPackage], denoFolder);
