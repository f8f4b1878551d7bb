import fs from "node:fs";
import path from "node:path";
import { run, tail } from "../../../bootstrap/command.cjs";
import { Complaint, step } from "../../../bootstrap/steps.cjs";
import type { Folders } from "../folders.js";
import { inEnvironment, type Jupyter } from "./find.js";
import { environmentPython, findPython, isOldPython, oldestPython, type Python } from "./python.js";

export const pinned = ["jupyterlab==4.6.4", "jupyterlab_widgets==3.0.17"];

const again = "then run the same command again.";

function pythonComplaint(python: Python | undefined): Complaint {
  const wanted = `Cannot install JupyterLab as Python >= ${oldestPython} with venv must be found`;
  if (!python) {
    return new Complaint(
      `${wanted}: there is no python3 on PATH`,
      `To mend it, install Python (Debian or Ubuntu: sudo apt-get install python3 python3-venv; macOS: brew install python; else python.org), ${again}`,
    );
  }
  if (isOldPython(python.version)) {
    return new Complaint(
      `${wanted}: ${python.argv.join(" ")} is ${python.version}`,
      `To mend it, install a current Python (python.org), ${again}`,
    );
  }
  return new Complaint(
    `${wanted}: ${python.argv.join(" ")} ${python.version} has no venv or ensurepip module`,
    `To mend it (Debian or Ubuntu), run: sudo apt-get install python3-venv, ${again}`,
  );
}

function pipComplaint(output: string): Complaint {
  const line = (pattern: RegExp) => output.split("\n").findLast((text) => pattern.test(text)) ?? "";
  const network =
    /NewConnectionError|Temporary failure|ConnectTimeout|ProxyError|Network is unreachable|timed out|SSLError|ConnectionError|Name or service/;
  if (network.test(output)) {
    return new Complaint(
      "Cannot install JupyterLab as the Python package index must be reachable: pip had no connection",
      `To mend it, connect to the network (behind a proxy: export HTTPS_PROXY=<url>), or install JupyterLab >= 4 yourself so that "jupyter" is on PATH, ${again}`,
    );
  }
  if (/No space left/.test(output)) {
    return new Complaint(
      `Cannot install JupyterLab as the disk must have about 400 MB free: ${line(/No space left/)}`,
      `To mend it, free some space, ${again}`,
    );
  }
  return new Complaint(
    `Cannot install JupyterLab as pip must succeed: it failed\n${tail(output)}`,
    `To mend it, install JupyterLab >= 4 yourself so that "jupyter" is on PATH, ${again}`,
  );
}

/** Marks a .venv that this program began to make, until it is complete. */
function unfinishedMark(folders: Folders): string {
  return path.join(folders.venv, ".unfinished");
}

/** Why the .venv that is there cannot be used, or "" when pip in it works. */
async function defect(folders: Folders): Promise<string> {
  if (fs.existsSync(unfinishedMark(folders))) return "its installation was cut short";
  const python = environmentPython(folders.venv);
  if (!fs.existsSync(path.join(folders.venv, "pyvenv.cfg")) || !fs.existsSync(python))
    return "it has no Python";
  try {
    const { code } = await run(python, ["-m", "pip", "--version"], { timeoutMs: 60_000 });
    return code === 0 ? "" : "it has no pip";
  } catch {
    return "its Python does not run";
  }
}

async function pipInstall(
  folders: Folders,
  packages: string[],
  progress: (note: string) => void,
): Promise<void> {
  let collected = 0;
  const result = await run(
    environmentPython(folders.venv),
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
      ...packages,
    ],
    {
      onLine: (text) => {
        if (/^\s*Collecting /.test(text)) progress(`${String(++collected)} packages`);
        if (/^Installing collected/.test(text)) progress(`unpacking ${String(collected)} packages`);
      },
    },
  );
  if (result.code !== 0) throw pipComplaint(result.output);
}

async function create(folders: Folders, python: Python, progress: (note: string) => void): Promise<void> {
  fs.mkdirSync(folders.venv, { recursive: true });
  fs.writeFileSync(unfinishedMark(folders), "This environment is being made; the next start rebuilds it.\n");
  progress("venv");
  const made = await run(python.argv[0], [...python.argv.slice(1), "-m", "venv", folders.venv], {});
  if (made.code === 0) return;
  if (/ensurepip/.test(made.output)) throw pythonComplaint({ ...python, canMakeVenv: false });
  throw new Complaint(
    `Cannot make ${folders.venv} as python -m venv must succeed: it failed\n${tail(made.output)}`,
  );
}

/**
 * Makes the project's own .venv with the pinned JupyterLab. A half-made one is rebuilt; a sound one that somebody
 * else made only gets what is missing. When it fails, what it made is removed, so that the next try starts clean.
 */
export async function makeVenv(
  folders: Folders,
  { packages = pinned, out }: { packages?: string[]; out?: NodeJS.WritableStream } = {},
): Promise<Jupyter> {
  const there = fs.existsSync(folders.venv);
  const broken = there ? await defect(folders) : "";
  const reuse = there && !broken;
  const python = reuse ? undefined : await findPython();
  if (!reuse && (!python || isOldPython(python.version) || !python.canMakeVenv))
    throw pythonComplaint(python);
  const why = broken ? ` (rebuilt: ${broken})` : "";
  let found: Jupyter | undefined;
  await step(
    `Installing JupyterLab into .venv${why}`,
    async (progress) => {
      try {
        if (broken) fs.rmSync(folders.venv, { recursive: true, force: true });
        if (python) await create(folders, python, progress);
        await pipInstall(folders, packages, progress);
        found = await inEnvironment(folders.venv, ".venv");
        if (!found)
          throw new Complaint("Cannot use .venv as it must hold JupyterLab >= 4 after pip: it does not");
        fs.rmSync(unfinishedMark(folders), { force: true });
      } catch (error) {
        if (!reuse) fs.rmSync(folders.venv, { recursive: true, force: true });
        throw error;
      }
      return `JupyterLab ${found.version}`;
    },
    out,
  );
  return found!;
}
