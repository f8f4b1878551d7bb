// Uses internals of turnwise-kernel/cli.
import fs from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { projectFolders } from "turnwise-kernel/dist/cli/folders.js";
import { findJupyter } from "turnwise-kernel/dist/cli/jupyter/find.js";
import type { LabServer } from "turnwise-kernel/dist/cli/jupyter/server.js";
import { startLab } from "turnwise-kernel/dist/cli/lab.js";
import { skip } from "./needs.js";
import { root } from "./paths.js";
import { isRunning } from "./process.js";

export interface TestLab extends LabServer {
  /** A private copy of the committed notebooks, inside the checkout so that imports resolve. */
  notebooks: string;
  isRunning(): boolean;
}

function copyNotebooks(): string {
  const place = path.join(root, "build", `lab-${String(process.pid)}-${String(Date.now())}`);
  const folder = path.join(place, "notebooks");
  fs.mkdirSync(folder, { recursive: true });
  // Notebooks read stored measurements from ../datasets.
  fs.cpSync(path.join(root, "datasets"), path.join(place, "datasets"), { recursive: true });
  const committed = path.join(root, "notebooks");
  if (fs.existsSync(committed)) {
    fs.cpSync(committed, folder, { recursive: true, filter: (file) => !file.includes(".ipynb_checkpoints") });
  }
  return folder;
}

/**
 * Starts JupyterLab on a copy of the notebooks, on a free port. Without a JupyterLab, which `npm test` installs where it
 * can, the test is skipped. End it with {@link stopTestLab}.
 */
export async function startTestLab(context: Mocha.Context): Promise<TestLab> {
  if (!(await findJupyter(projectFolders(root))))
    skip(context, "needs JupyterLab >= 4, hence Python >= 3.9", "npm test -- --prepare");
  const notebooks = copyNotebooks();
  const out = new PassThrough();
  out.resume();
  try {
    const server = await startLab(root, { args: ["--no-browser", "--port=0"], notebooks, out });
    return { ...server, notebooks, isRunning: () => isRunning(server.pid) };
  } catch (error) {
    fs.rmSync(path.dirname(notebooks), { recursive: true, force: true });
    throw error;
  }
}

/** Stops the server with its kernels and removes the copy of the notebooks. */
export async function stopTestLab(lab: TestLab | undefined): Promise<void> {
  if (!lab) return;
  await lab.stop();
  fs.rmSync(path.dirname(lab.notebooks), { recursive: true, force: true });
}
