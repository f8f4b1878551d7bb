import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** Places of a project's generated files: all inside the project, nothing in the user's home. */
export interface Folders {
  root: string;
  state: string;
  data: string;
  config: string;
  runtime: string;
  log: string;
  venv: string;
}

export function projectFolders(root: string): Folders {
  const state = path.join(root, ".turnwise");
  return {
    root,
    state,
    data: path.join(state, "share", "jupyter"),
    config: path.join(state, "etc", "jupyter"),
    runtime: path.join(state, "runtime"),
    log: path.join(state, "lab.log"),
    venv: path.join(root, ".venv"),
  };
}

/** The user's Jupyter data folder, as jupyter_core computes it. */
export function userDataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.JUPYTER_DATA_DIR) return env.JUPYTER_DATA_DIR;
  const home = env.HOME || os.homedir();
  if (process.platform === "darwin") return path.join(home, "Library", "Jupyter");
  if (process.platform === "win32") {
    return path.join(env.APPDATA || path.join(home, "AppData", "Roaming"), "jupyter");
  }
  return path.join(env.XDG_DATA_HOME || path.join(home, ".local", "share"), "jupyter");
}

/** The environment of the JupyterLab process: writes go into the project, the user's own kernels stay visible. */
export function jupyterEnvironment(
  folders: Folders,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const ipython = env.IPYTHONDIR || path.join(env.HOME || os.homedir(), ".ipython");
  const search = [folders.data, env.JUPYTER_PATH, userDataFolder(env)].filter(Boolean);
  return {
    ...env,
    JUPYTER_PATH: search.join(path.delimiter),
    JUPYTER_DATA_DIR: folders.data,
    JUPYTER_CONFIG_DIR: folders.config,
    JUPYTER_RUNTIME_DIR: folders.runtime,
    // The server creates this folder if it is absent; an existing one holds the user's own profile.
    IPYTHONDIR: fs.existsSync(ipython) ? ipython : path.join(folders.state, "ipython"),
    // The project's kernels remember what was run in it.
    TURNWISE_HISTORY: env.TURNWISE_HISTORY ?? path.join(folders.state, "history.jsonl"),
    PYTHONUNBUFFERED: "1",
  };
}
