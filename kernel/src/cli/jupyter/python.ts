import fs from "node:fs";
import path from "node:path";
import { run } from "../../../bootstrap/command.cjs";

export interface Python {
  argv: string[];
  version: string;
  /** Whether `python -m venv` can make an environment with pip in it. */
  canMakeVenv: boolean;
}

export const oldestPython = "3.9";

const probe = `import sys
try:
    import venv, ensurepip
    ok = "yes"
except ImportError:
    ok = "no"
print("turnwise-python", sys.version.split()[0], ok)`;

/** Asks an interpreter for its version; undefined if it does not run. */
export async function probePython(argv: string[]): Promise<Python | undefined> {
  try {
    const result = await run(argv[0], [...argv.slice(1), "-c", probe], { timeoutMs: 30_000 });
    const match = /turnwise-python (\S+) (yes|no)/.exec(result.output);
    return match ? { argv, version: match[1], canMakeVenv: match[2] === "yes" } : undefined;
  } catch {
    return undefined;
  }
}

export function isOldPython(version: string): boolean {
  const [major, minor] = version.split(".").map(Number);
  return major < 3 || (major === 3 && minor < 9);
}

/** The first Python >= 3.9 on PATH, or else the best of the unsuitable ones, or else undefined. */
export async function findPython(): Promise<Python | undefined> {
  const names = process.platform === "win32" ? [["py", "-3"], ["python"]] : [["python3"], ["python"]];
  let second: Python | undefined;
  for (const argv of names) {
    const python = await probePython(argv);
    if (python && !isOldPython(python.version) && python.canMakeVenv) return python;
    second ??= python;
  }
  return second;
}

/** The folder of the Python environment that is active, if any. */
export function activeEnvironment(): string | undefined {
  return process.env.VIRTUAL_ENV || process.env.CONDA_PREFIX || undefined;
}

/** The interpreter inside an environment folder (venv or conda layout). */
export function environmentPython(folder: string): string {
  if (process.platform !== "win32") return path.join(folder, "bin", "python");
  const scripts = path.join(folder, "Scripts", "python.exe");
  return fs.existsSync(scripts) ? scripts : path.join(folder, "python.exe");
}
