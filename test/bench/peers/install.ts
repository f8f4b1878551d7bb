/** Installs what the benchmarks compare with, in an environment of its own: `node build/test/bench/peers/install.js`. */
import { spawnSync } from "node:child_process";
import { benchmarks } from "turnwise-kernel/bootstrap/python-packages.cjs";
import { benchmarkPython, benchmarkVenv } from "./peer.js";

function call(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (status === 0) return;
  throw new Error(
    `Cannot install the peers as ${program} must end with 0: ${error?.message ?? `it ended with ${status}`}`,
  );
}

call("python3", ["-m", "venv", benchmarkVenv]);
call(benchmarkPython, ["-m", "pip", "install", "--disable-pip-version-check", ...benchmarks]);
