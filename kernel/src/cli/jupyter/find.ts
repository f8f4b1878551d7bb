import fs from "node:fs";
import path from "node:path";
import { run } from "../../../bootstrap/command.cjs";
import { replaceFile } from "../../../bootstrap/replace-file.cjs";
import type { Folders } from "../folders.js";
import { activeEnvironment, environmentPython } from "./python.js";

/** A JupyterLab that can be started: `argv` followed by Lab's own flags. */
export interface Jupyter {
  argv: string[];
  version: string;
  where: string;
}

const labVersion = `import importlib.metadata as m
print("turnwise-lab", m.version("jupyterlab"))`;

/** Whether that JupyterLab has the front end of widgets, without which sliders show as text. */
export function hasWidgets(jupyter: Jupyter): boolean {
  const bin = path.dirname(fs.realpathSync(jupyter.argv[0]));
  const prefixes = [path.dirname(path.dirname(jupyter.argv[0])), path.dirname(bin)];
  return prefixes.some((prefix) =>
    fs.existsSync(
      path.join(prefix, "share", "jupyter", "labextensions", "@jupyter-widgets", "jupyterlab-manager"),
    ),
  );
}

function isNewEnough(version: string): boolean {
  return Number(version.split(".")[0]) >= 4;
}

/** The JupyterLab of the environment in `folder`, or undefined if it has none that is new enough. */
export async function inEnvironment(folder: string, where: string): Promise<Jupyter | undefined> {
  const python = environmentPython(folder);
  if (!fs.existsSync(python)) return undefined;
  try {
    const { output } = await run(python, ["-c", labVersion], { timeoutMs: 30_000 });
    const version = /turnwise-lab (\S+)/.exec(output)?.[1];
    return version && isNewEnough(version)
      ? { argv: [python, "-m", "jupyterlab"], version, where }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The file that a command name stands for, as the shell would find it. */
export function onPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const extensions = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const folder of (env.PATH ?? "").split(path.delimiter).filter(Boolean)) {
    for (const extension of extensions) {
      const file = path.join(folder, name + extension);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        if (fs.statSync(file).isFile()) return file;
      } catch {
        continue;
      }
    }
  }
  return undefined;
}

interface Cached {
  key: string;
  version: string;
}

/** `jupyter lab --version` takes a second, so its answer is kept until the program file changes. */
async function fromPath(folders: Folders): Promise<Jupyter | undefined> {
  const jupyter = onPath("jupyter");
  if (!jupyter) return undefined;
  const cacheFile = path.join(folders.state, "jupyter.json");
  const stamp = [jupyter, path.join(path.dirname(jupyter), "jupyter-lab")].map((file) =>
    fs.existsSync(file) ? fs.statSync(file).mtimeMs : 0,
  );
  const key = `${jupyter}:${stamp.join(":")}`;
  let version: string | undefined;
  try {
    const cached = JSON.parse(fs.readFileSync(cacheFile, "utf8")) as Cached;
    if (cached.key === key) version = cached.version;
  } catch {
    version = undefined;
  }
  if (version === undefined) {
    const result = await run(jupyter, ["lab", "--version"], { timeoutMs: 60_000 });
    version = result.code === 0 ? (/^(\d+\.\d+\S*)\s*$/m.exec(result.output)?.[1] ?? "") : "";
    if (version) {
      fs.mkdirSync(folders.state, { recursive: true });
      replaceFile(cacheFile, JSON.stringify({ key, version } satisfies Cached) + "\n");
    }
  }
  return version && isNewEnough(version) ? { argv: [jupyter, "lab"], version, where: jupyter } : undefined;
}

/** The JupyterLab >= 4 to use: of the active environment, of PATH, of the project's own .venv; or undefined. */
export async function findJupyter(folders: Folders): Promise<Jupyter | undefined> {
  const active = activeEnvironment();
  return (
    (active ? await inEnvironment(active, active) : undefined) ??
    (await fromPath(folders)) ??
    (await inEnvironment(folders.venv, ".venv"))
  );
}
