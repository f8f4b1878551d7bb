import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { startTestLab, stopTestLab, type TestLab } from "./jupyter.js";
import { root } from "./paths.js";
import { patient } from "./patient.js";
import { showAnswers } from "./predictions.js";
import { useBrowser } from "./sharedBrowser.js";

/** The one JupyterLab and the one browser of all browser tests in this process. */
export interface Laboratory {
  lab: TestLab;
  /** The address that opens a notebook of the lab's folder in a workspace of its own: one that pages share has their tabs. */
  address(notebook: string): string;
  /** Writes a notebook of code cells into the lab's folder and returns its name, with a number where one has it. */
  write(name: string, cells: readonly string[], kernel?: string): string;
  /** Opens a page. All are of one context: what the first has loaded, the others have at hand. */
  newPage(): Promise<Page>;
  /** Ends the kernel of a notebook. */
  endKernel(notebook: string): Promise<void>;
  stop(): Promise<void>;
}

let laboratory: Laboratory | undefined;

/** Settings of the tests alone: every cell in the page, whether in view or not, completions that may take long, and no question about news. */
function writeSettings(): string {
  const folder = path.join(root, "build", "lab-settings");
  const write = (plugin: string, settings: object): void => {
    const file = path.join(folder, "@jupyterlab", `${plugin}.jupyterlab-settings`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(settings));
  };
  write("notebook-extension/tracker", { windowingMode: "none" });
  // JupyterLab shows no completion that comes later than this: by itself after one second, which a busy machine may need.
  write("completer-extension/manager", { providerTimeout: 60_000 });
  write("apputils-extension/notification", { fetchNews: "false", checkForUpdates: false });
  return folder;
}

/** A notebook of code cells. */
export function notebookText(cells: readonly string[], kernel: string): string {
  return JSON.stringify({
    cells: cells.map((source, i) => ({
      id: `cell-${String(i)}`,
      cell_type: "code",
      metadata: {},
      source,
      outputs: [],
      execution_count: null,
    })),
    metadata: {
      kernelspec: { name: kernel, display_name: kernel, language: "typescript" },
      language_info: { name: "typescript" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  });
}

function laboratoryOf(lab: TestLab): Laboratory {
  let context: BrowserContext | undefined;
  let pages = 0;
  const { origin, searchParams } = new URL(lab.url);
  const token = searchParams.get("token") ?? "";
  const api = (name: string, method = "GET"): Promise<Response> =>
    fetch(`${origin}/api/${name}`, { method, headers: { Authorization: `token ${token}` } });
  return {
    lab,
    address: (notebook) => {
      const workspace = `page-${String(++pages)}`;
      return `${origin}/lab/workspaces/${workspace}/tree/${notebook}?token=${token}`;
    },
    write: (name, cells, kernel = "turnwise") => {
      const { name: stem, ext } = path.parse(name);
      let free = name;
      for (let i = 2; fs.existsSync(path.join(lab.notebooks, free)); i++) free = `${stem}-${String(i)}${ext}`;
      fs.writeFileSync(path.join(lab.notebooks, free), notebookText(cells, kernel));
      return free;
    },
    newPage: async () => {
      const browser = await useBrowser(undefined);
      // A browser that crashed took its contexts along.
      if (context?.browser() !== browser)
        context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
      const page = await context.newPage();
      // On a busy machine a page may need a minute for what takes it a second.
      page.setDefaultTimeout(patient(90_000));
      await showAnswers(page);
      return page;
    },
    endKernel: async (notebook) => {
      const sessions = (await (await api("sessions")).json()) as { id: string; path: string }[];
      const own = sessions.filter((session) => session.path === notebook);
      await Promise.all(own.map(({ id }) => api(`sessions/${id}`, "DELETE")));
    },
    stop: async () => {
      await context?.close().catch(() => undefined);
      await stopTestLab(lab);
    },
  };
}

async function startLaboratory(context: Mocha.Context): Promise<Laboratory> {
  // Without a browser the tests are skipped, before JupyterLab is started for them.
  await useBrowser(context);
  process.env.JUPYTERLAB_SETTINGS_DIR = writeSettings();
  // JupyterLab keeps workspaces beyond its end: one of another run would open that run's notebooks beside the test's own.
  process.env.JUPYTERLAB_WORKSPACES_DIR = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-workspaces-"));
  return laboratoryOf(await startTestLab(context));
}

/**
 * Starts JupyterLab at the first call, and again should the server have ended since, so its end fails one test and not all that
 * follow. A root hook stops it after the last test.
 */
export async function useLab(context: Mocha.Context): Promise<Laboratory> {
  if (laboratory && !laboratory.lab.isRunning()) await stopLaboratory();
  return (laboratory ??= await startLaboratory(context));
}

async function stopLaboratory(): Promise<void> {
  const ended = laboratory;
  laboratory = undefined;
  await ended?.stop();
  delete process.env.JUPYTERLAB_SETTINGS_DIR;
  const workspaces = process.env.JUPYTERLAB_WORKSPACES_DIR;
  delete process.env.JUPYTERLAB_WORKSPACES_DIR;
  if (workspaces !== undefined) fs.rmSync(workspaces, { recursive: true, force: true });
}

/** Opens what the tests of a suite share before the first of them, and closes it after the last. */
export function shared(
  open: (laboratory: Laboratory) => Promise<void>,
  close: () => Promise<void> | undefined,
): void {
  before(async function () {
    await open(await useLab(this));
  });
  after(() => close());
}

after(async function () {
  this.timeout(60_000);
  await stopLaboratory();
});
