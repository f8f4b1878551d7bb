import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { tail } from "../../../bootstrap/command.cjs";
import { replaceFile } from "../../../bootstrap/replace-file.cjs";
import { Complaint } from "../../../bootstrap/steps.cjs";
import { jupyterEnvironment, type Folders } from "../folders.js";
import { commandLine, installationOf } from "../installation.js";
import { hasWidgets, type Jupyter } from "./find.js";
import { notebooksToTrust, trustingCode } from "./trust.js";

export interface LabServer {
  /** Address with token, to open in a browser. */
  url: string;
  token: string;
  port: number;
  pid: number;
  /** Whether this JupyterLab shows widgets. */
  widgets: boolean;
  /** Resolves with the exit code when the server has ended, for whatever reason. */
  ended: Promise<number>;
  /** Shuts the server and its kernels down, by force after 10 s. */
  stop(): Promise<void>;
}

/**
 * The server reads this at its start. Its standard input is a pipe from this process: when that closes, it ends too.
 * A child of the server that shares the pipe may make it non-blocking, as every Node does that reads its input.
 */
export const serverConfiguration = `import os
import signal
import threading
import time

c = get_config()  # noqa
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"


def end_with_parent():
    while True:
        try:
            if not os.read(0, 4096):
                break
        except BlockingIOError:
            time.sleep(1)
        except OSError:
            break
    os.kill(os.getpid(), signal.SIGTERM)


threading.Thread(target=end_with_parent, daemon=True).start()
`;

const settings = {
  "@jupyterlab/apputils-extension:notification": { fetchNews: "false", checkForUpdates: false },
};

function writeConfiguration(folders: Folders): void {
  fs.mkdirSync(path.join(folders.config, "labconfig"), { recursive: true });
  fs.mkdirSync(folders.runtime, { recursive: true, mode: 0o700 });
  const trusting = trustingCode(folders, notebooksToTrust(folders, __dirname));
  replaceFile(path.join(folders.config, "jupyter_server_config.py"), serverConfiguration + trusting);
  replaceFile(
    path.join(folders.config, "labconfig", "default_setting_overrides.json"),
    JSON.stringify(settings, null, 2) + "\n",
  );
}

/** The value of `--name value` or `--name=value`. */
export function flagValue(args: string[], name: string): string | undefined {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (at < 0) return undefined;
  return args[at].includes("=") ? args[at].slice(name.length + 1) : args[at + 1];
}

function listen(port: number, host?: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => {
      resolve(undefined);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const bound = (server.address() as net.AddressInfo).port;
      server.close(() => {
        resolve(bound);
      });
    });
  });
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  return (await listen(0, "127.0.0.1"))!;
}

async function assertPort(args: string[]): Promise<string[]> {
  const given = flagValue(args, "--port") ?? flagValue(args, "--ServerApp.port");
  if (given === undefined) return [];
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Complaint(
      `Cannot start JupyterLab: --port must be an integer from 0 to 65535, got ${JSON.stringify(given)}.`,
    );
  }
  if (port !== 0 && (await listen(port, "127.0.0.1")) === undefined) {
    throw new Complaint(
      `Cannot start JupyterLab: port ${given} must be free, but another program uses it (or it is reserved).`,
      `To fix it, run: ${installationOf() === "checkout" ? "npm start --" : commandLine("lab")} --port ${String(await freePort())}`,
    );
  }
  return ["--ServerApp.port_retries=0"];
}

interface ServerInfo {
  url: string;
  token: string;
  port: number;
  pid: number;
}

/** Information that the server writes about itself into the runtime folder. On Windows it runs as a child of the known pid. */
function serverInfo(folders: Folders, pid: number, since: number): ServerInfo | undefined {
  const ours =
    process.platform === "win32" ? /^jpserver-\d+\.json$/ : new RegExp(`^jpserver-${String(pid)}\\.json$`);
  for (const name of fs.readdirSync(folders.runtime)) {
    if (!ours.test(name)) continue;
    const file = path.join(folders.runtime, name);
    try {
      if (fs.statSync(file).mtimeMs < since) continue;
      return JSON.parse(fs.readFileSync(file, "utf8")) as ServerInfo;
    } catch {
      continue;
    }
  }
  return undefined;
}

async function answers(info: ServerInfo): Promise<boolean> {
  try {
    const address = new URL(`api/status?token=${info.token}`, info.url.replace("//0.0.0.0", "//127.0.0.1"));
    return (await fetch(address, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid!, signal);
  } catch {
    child.kill(signal);
  }
}

function forget(folders: Folders, pid: number): void {
  for (const name of [`jpserver-${String(pid)}.json`, `jpserver-${String(pid)}-open.html`]) {
    fs.rmSync(path.join(folders.runtime, name), { force: true });
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lab takes its folder once, so ours gives way to the user's. */
const asksForFolder = (args: string[]): boolean =>
  ["--ServerApp.root_dir", "--notebook-dir"].some((flag) => flagValue(args, flag) !== undefined);

/** Lab's arguments: the user's flags follow ours, so that they win. */
async function labArguments(args: string[], notebooks: string): Promise<string[]> {
  const asRoot = process.getuid?.() === 0 && !args.includes("--allow-root") ? ["--allow-root"] : [];
  const folder = asksForFolder(args) ? [] : [`--ServerApp.root_dir=${notebooks}`];
  return [...folder, ...asRoot, ...(await assertPort(args)), ...args];
}

/** Starts JupyterLab and resolves once it answers; its messages go to .turnwise/lab.log. */
export async function startServer(
  jupyter: Jupyter,
  folders: Folders,
  o: { args: string[]; notebooks: string; signal?: AbortSignal },
): Promise<LabServer> {
  const { args, notebooks, signal } = o;
  const labArgs = await labArguments(args, notebooks);
  writeConfiguration(folders);
  const since = Date.now() - 1000;
  // In place: each start has a log of its own.
  const log = fs.openSync(folders.log, "w");
  const child = spawn(jupyter.argv[0], [...jupyter.argv.slice(1), ...labArgs], {
    // A relative folder of the user's is one of the user's own folder.
    cwd: asksForFolder(args) ? process.cwd() : notebooks,
    env: jupyterEnvironment(folders),
    stdio: ["pipe", log, log],
    // A process group of its own: Ctrl-C reaches only this process, and Lab does not ask for confirmation.
    detached: process.platform !== "win32",
  });
  fs.closeSync(log);
  let exited = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      exited = true;
      forget(folders, child.pid!);
      resolve(code ?? -1);
    });
  });
  ended.catch(() => {
    exited = true;
  });
  const stop = async (): Promise<void> => {
    if (exited) return;
    signalGroup(child, "SIGTERM");
    const timer = setTimeout(() => {
      signalGroup(child, "SIGKILL");
    }, 10_000);
    await ended;
    clearTimeout(timer);
  };
  process.once("exit", () => {
    if (!exited) signalGroup(child, "SIGKILL");
  });
  const aborted = (): boolean => signal?.aborted === true;
  for (const started = Date.now(); Date.now() - started < 120_000 && !exited && !aborted(); await sleep(50)) {
    const info = serverInfo(folders, child.pid ?? 0, since);
    // A signal that arrives while Lab answers must not be lost: no caller holds the server yet to stop it.
    if (!info || !(await answers(info)) || aborted()) continue;
    const url = new URL(`lab?token=${info.token}`, info.url).href;
    return {
      url,
      token: info.token,
      port: info.port,
      pid: child.pid!,
      widgets: hasWidgets(jupyter),
      ended,
      stop,
    };
  }
  const reason = exited ? "it ended" : "it did not answer within 120 s";
  await stop();
  if (aborted()) throw new Complaint("Stopped.");
  throw new Complaint(
    `Cannot start JupyterLab: it does not answer: ${reason}\n${tail(fs.readFileSync(folders.log, "utf8"), 8)}`,
    `To see all of its messages: ${folders.log}`,
  );
}
