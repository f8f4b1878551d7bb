import fs from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "./browser.js";
import { startTestLab, stopTestLab, type TestLab } from "./jupyter.js";
import { root } from "./paths.js";
import { patient } from "./patient.js";

/** The one JupyterLab and the one browser of all browser tests in this process. */
export interface Laboratory {
  lab: TestLab;
  /** The address that opens a notebook of the lab's folder in a workspace of its own: one that pages share has their tabs. */
  address(notebook: string): string;
  /** Writes a notebook of code cells into the lab's folder and returns its name, with a number where one has it. */
  write(name: string, cells: readonly string[], kernel?: string): string;
  /** Opens a page; should the browser have crashed since the last one, it is started again. */
  newPage(): Promise<Page>;
  /** Ends the kernel of a notebook. */
  endKernel(notebook: string): Promise<void>;
  stop(): Promise<void>;
}

let laboratory: Laboratory | undefined;

/** Settings of the tests alone: every cell in the page, whether in view or not, and no question about news. */
function writeSettings(): string {
  const folder = path.join(root, "build", "lab-settings");
  const write = (plugin: string, settings: object): void => {
    const file = path.join(folder, "@jupyterlab", `${plugin}.jupyterlab-settings`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(settings));
  };
  write("notebook-extension/tracker", { windowingMode: "none" });
  write("apputils-extension/notification", { fetchNews: "false", checkForUpdates: false });
  return folder;
}

function notebookText(cells: readonly string[], kernel: string): string {
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

function laboratoryOf(lab: TestLab, first: Browser, launch: () => Promise<Browser>): Laboratory {
  let browser = first;
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
      if (!browser.isConnected()) browser = await launch();
      const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
      // On a busy machine a page may need a minute for what takes it a second.
      page.setDefaultTimeout(patient(90_000));
      return page;
    },
    endKernel: async (notebook) => {
      const sessions = (await (await api("sessions")).json()) as { id: string; path: string }[];
      const own = sessions.filter((session) => session.path === notebook);
      await Promise.all(own.map(({ id }) => api(`sessions/${id}`, "DELETE")));
    },
    stop: async () => {
      await browser.close();
      await stopTestLab(lab);
    },
  };
}

async function startLaboratory(context: Mocha.Context): Promise<Laboratory> {
  const launch = (): Promise<Browser> => launchBrowser(context);
  const browser = await launch();
  try {
    process.env.JUPYTERLAB_SETTINGS_DIR = writeSettings();
    return laboratoryOf(await startTestLab(context), browser, launch);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Starts JupyterLab and the browser at the first call, and again should the server have ended since; a root hook stops
 * both after the last test.
 */
export async function useLab(context: Mocha.Context): Promise<Laboratory> {
  if (laboratory && !laboratory.lab.isRunning()) await stopLaboratory();
  return (laboratory ??= await startLaboratory(context));
}

async function stopLaboratory(): Promise<void> {
  const ended = laboratory;
  laboratory = undefined;
  delete process.env.JUPYTERLAB_SETTINGS_DIR;
  await ended?.stop();
}

/**
 * Opens what the tests of a suite share before the first of them, and closes it after the last. In CI each test has a
 * second try, with everything opened anew: a browser may crash or hang for reasons of the machine. The report says so.
 */
export function shared(
  suite: Mocha.Suite,
  open: (laboratory: Laboratory) => Promise<void>,
  close: () => Promise<void> | undefined,
): void {
  secondTry(suite);
  const begin = async (context: Mocha.Context): Promise<void> => open(await useLab(context));
  before(function () {
    return begin(this);
  });
  beforeEach(async function () {
    if (retryOf(this) === 0) return;
    await close()?.catch(() => undefined);
    await begin(this);
  });
  after(() => close());
}

/** Gives each test of a suite a second try in CI; for those that open all they need themselves. */
export function secondTry(suite: Mocha.Suite): void {
  if (process.env.CI) suite.retries(1);
}

function retryOf(context: Mocha.Context): number {
  return (context.currentTest as (Mocha.Test & { currentRetry(): number }) | undefined)?.currentRetry() ?? 0;
}

after(async function () {
  this.timeout(60_000);
  await stopLaboratory();
});
