import fs from "node:fs";
import path from "node:path";
import { run, tail } from "../../../bootstrap/command.cjs";
import { Complaint, step } from "../../../bootstrap/steps.cjs";
import { environmentPython, findPython, isOldPython, oldestPython, type Python } from "./python.js";

/** A Python environment that this project makes for itself. */
export interface Environment {
  folder: string;
  /** Name of the result, such as "JupyterLab". */
  title: string;
  packages: readonly string[];
  /** Contents of the finished environment, such as "JupyterLab 4.6.4"; undefined if it lacks them. */
  holds(): Promise<string | undefined>;
  /** Advice if pip fails, such as "install it yourself". */
  instead?: string;
}

const again = "then run the same command again.";

function pythonComplaint(title: string, python: Python | undefined): Complaint {
  const wanted = `Cannot install ${title}: Python >= ${oldestPython} with venv must be found`;
  if (!python) {
    return new Complaint(
      `${wanted}, but there is no python3 on PATH.`,
      `To fix it, install Python (Debian or Ubuntu: sudo apt-get install python3 python3-venv; macOS: brew install python; else python.org), ${again}`,
    );
  }
  if (isOldPython(python.version)) {
    return new Complaint(
      `${wanted}, but ${python.argv.join(" ")} is ${python.version}.`,
      `To fix it, install a current Python (python.org), ${again}`,
    );
  }
  return new Complaint(
    `${wanted}, but ${python.argv.join(" ")} ${python.version} has no venv or ensurepip module.`,
    `To fix it (Debian or Ubuntu), run: sudo apt-get install python3-venv, ${again}`,
  );
}

function pipComplaint({ title, instead }: Environment, output: string): Complaint {
  const otherwise = instead === undefined ? "" : `, or ${instead}`;
  const line = (pattern: RegExp) => output.split("\n").findLast((text) => pattern.test(text)) ?? "";
  const network =
    /NewConnectionError|Temporary failure|ConnectTimeout|ProxyError|Network is unreachable|timed out|SSLError|ConnectionError|Name or service/;
  if (network.test(output)) {
    return new Complaint(
      `Cannot install ${title}: the Python package index must be reachable, but pip had no connection.`,
      `To fix it, connect to the network (behind a proxy: export HTTPS_PROXY=<url>)${otherwise}, ${again}`,
    );
  }
  if (/No space left/.test(output)) {
    return new Complaint(
      `Cannot install ${title}: the disk must have about 400 MB free: ${line(/No space left/)}`,
      `To fix it, free some space, ${again}`,
    );
  }
  return new Complaint(
    `Cannot install ${title}: pip failed.\n${tail(output)}`,
    `To fix it, ${instead ?? "see what pip says above"}, ${again}`,
  );
}

/** Marks an environment that this program began to make, until it is complete. */
function unfinishedMark(folder: string): string {
  return path.join(folder, ".unfinished");
}

/** Why the environment that is there cannot be used, or "" when pip in it works. */
async function defect(folder: string): Promise<string> {
  if (fs.existsSync(unfinishedMark(folder))) return "its installation was cut short";
  const python = environmentPython(folder);
  if (!fs.existsSync(path.join(folder, "pyvenv.cfg")) || !fs.existsSync(python)) return "it has no Python";
  try {
    const { code } = await run(python, ["-m", "pip", "--version"], { timeoutMs: 60_000 });
    return code === 0 ? "" : "it has no pip";
  } catch {
    return "its Python does not run";
  }
}

async function pipInstall(environment: Environment, progress: (note: string) => void): Promise<void> {
  let collected = 0;
  const result = await run(
    environmentPython(environment.folder),
    [
      "-m",
      "pip",
      "install",
      "--retries",
      "1",
      "--disable-pip-version-check",
      "--no-input",
      "--progress-bar",
      "off",
      ...environment.packages,
    ],
    {
      onLine: (text) => {
        if (/^\s*Collecting /.test(text)) progress(`${String(++collected)} packages`);
        if (/^Installing collected/.test(text)) progress(`unpacking ${String(collected)} packages`);
      },
    },
  );
  if (result.code !== 0) throw pipComplaint(environment, result.output);
}

async function create(
  { folder, title }: Environment,
  python: Python,
  progress: (note: string) => void,
): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  // In place: a mark, of which only the name counts.
  fs.writeFileSync(
    unfinishedMark(folder),
    "This environment is being made; should that be cut short, the next try rebuilds it.\n",
  );
  progress("venv");
  const made = await run(python.argv[0], [...python.argv.slice(1), "-m", "venv", folder], {});
  if (made.code === 0) return;
  if (/ensurepip/.test(made.output)) throw pythonComplaint(title, { ...python, canMakeVenv: false });
  throw new Complaint(`Cannot make ${folder}: python -m venv failed.\n${tail(made.output)}`);
}

/**
 * Makes the environment. A half-made one is rebuilt; a sound one that somebody else made only gets what is missing. When
 * it fails, what it made is removed, so that the next try starts clean.
 */
export async function makeEnvironment(environment: Environment, out?: NodeJS.WritableStream): Promise<void> {
  const { folder, title } = environment;
  const name = path.basename(folder);
  const there = fs.existsSync(folder);
  const broken = there ? await defect(folder) : "";
  const reuse = there && !broken;
  const python = reuse ? undefined : await findPython();
  if (!reuse && (!python || isOldPython(python.version) || !python.canMakeVenv))
    throw pythonComplaint(title, python);
  const why = broken ? ` (rebuilt: ${broken})` : "";
  const make = async (progress: (note: string) => void): Promise<string> => {
    try {
      if (broken) fs.rmSync(folder, { recursive: true, force: true });
      if (python) await create(environment, python, progress);
      await pipInstall(environment, progress);
      const held = await environment.holds();
      if (held === undefined) throw new Complaint(`Cannot use ${name}: it must hold ${title} after pip.`);
      fs.rmSync(unfinishedMark(folder), { force: true });
      return held;
    } catch (error) {
      if (!reuse) fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  };
  await step(`Installing ${title} into ${name}${why}`, make, out);
}
