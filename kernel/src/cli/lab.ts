import fs from "node:fs";
import path from "node:path";
import { Complaint, step } from "../../bootstrap/steps.cjs";
import { projectFolders, type Folders } from "./folders.js";
import { commandLine, installationOf } from "./installation.js";
import { findJupyter, type Jupyter } from "./jupyter/find.js";
import { startServer, type LabServer } from "./jupyter/server.js";
import { makeVenv } from "./jupyter/venv.js";
import { defaultKernelName, writeKernelspec } from "./kernelspec.js";
import { writeLabextension } from "./labextension.js";

function assertWritable(folders: Folders): void {
  try {
    if (!fs.existsSync(folders.state)) fs.accessSync(folders.root, fs.constants.W_OK);
    fs.mkdirSync(folders.state, { recursive: true });
    fs.accessSync(folders.state, fs.constants.W_OK);
  } catch (error) {
    throw new Complaint(
      `Cannot start JupyterLab: ${folders.root} must be writable: ${(error as Error).message}`,
      `To fix it, copy the folder to a place where you may write (cp -r . ~/turnwise) and run ${installationOf() === "checkout" ? "npm start" : commandLine("lab")} there.`,
    );
  }
}

/** The JupyterLab to use; if there is none yet, the project's own .venv is made. */
export async function provideJupyter(folders: Folders, out?: NodeJS.WritableStream): Promise<Jupyter> {
  assertWritable(folders);
  let found: Jupyter | undefined;
  await step(
    "Looking for JupyterLab >= 4",
    async () => {
      found = await findJupyter(folders);
      return found ? `${found.version} in ${found.where}` : "none found";
    },
    out,
  );
  return found ?? (await makeVenv(folders, { out }));
}

/**
 * Lessons link to ../docs, which Lab, whose top is notebooks/, takes for a folder there: in a checkout of turnwise there is one, which
 * leads to docs/. A junction needs no rights on Windows; where none can be made, only these links lead nowhere.
 */
function linkDocs(root: string, notebooks: string): void {
  const docs = path.join(root, "docs");
  const here = path.join(notebooks, "docs");
  const isCheckout = fs.existsSync(path.join(root, "kernel", "bootstrap", "start.cjs"));
  if (!isCheckout || !fs.existsSync(docs) || fs.existsSync(here)) return;
  try {
    fs.symlinkSync(process.platform === "win32" ? docs : path.relative(notebooks, docs), here, "junction");
  } catch {
    return;
  }
}

export interface LabOptions {
  /** Flags of JupyterLab itself. */
  args?: string[];
  /** The folder that Lab shows; default: the project's notebooks. */
  notebooks?: string;
  signal?: AbortSignal;
  /** Stream for progress; default: standard output. */
  out?: NodeJS.WritableStream;
}

/** Starts JupyterLab on the project's notebooks with the kernel registered for it alone. */
export async function startLab(root: string, o: LabOptions = {}): Promise<LabServer> {
  const folders = projectFolders(root);
  const jupyter = await provideJupyter(folders, o.out);
  writeKernelspec(folders.data, defaultKernelName);
  writeLabextension(folders.data);
  const usual = path.join(root, "notebooks");
  const notebooks = o.notebooks ?? (fs.existsSync(usual) ? usual : root);
  if (notebooks === usual) linkDocs(root, usual);
  let server: LabServer | undefined;
  await step(
    "Starting JupyterLab",
    async () => {
      server = await startServer(jupyter, folders, { args: o.args ?? [], notebooks, signal: o.signal });
      return `port ${String(server.port)}`;
    },
    o.out,
  );
  return server!;
}

/** The parent process and, where there is a /proc, its parent: under npm these are a shell and npm. */
function ancestors(): string {
  try {
    const status = fs.readFileSync(`/proc/${String(process.ppid)}/status`, "utf8");
    return `${String(process.ppid)} ${/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? ""}`;
  } catch {
    return String(process.ppid);
  }
}

/** npm does not forward the signal that ends it, but the program that it runs sees its ancestors change. */
function onOrphaned(act: () => void): () => void {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    act();
  }, 300);
  return () => {
    clearInterval(timer);
  };
}

/** Runs JupyterLab until it is shut down or until Ctrl-C, and leaves no process behind. */
export async function lab(args: string[], root: string): Promise<number> {
  const stopping = new AbortController();
  let server: LabServer | undefined;
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
    if (server) process.stdout.write("\nStopping JupyterLab and its kernels (Ctrl-C once more: at once)\n");
    void server?.stop();
  };
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, onSignal);
  const forgetParent = onOrphaned(onSignal);
  try {
    server = await startLab(root, { args, signal: stopping.signal });
    if (!server.widgets)
      process.stdout.write("Widgets show as text: turnwise doctor says how to add them.\n");
    process.stdout.write(`JupyterLab answers at ${server.url}\nCtrl-C stops it and its kernels.\n`);
    const code = await server.ended;
    return stopping.signal.aborted ? 0 : code;
  } finally {
    forgetParent();
    for (const signal of signals) process.removeListener(signal, onSignal);
  }
}
