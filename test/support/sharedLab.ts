import fs from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "./browser.js";
import { startTestLab, stopTestLab, type TestLab } from "./jupyter.js";
import { root } from "./paths.js";

/** The one JupyterLab and the one browser of all browser tests in this process. */
export interface Laboratory {
  lab: TestLab;
  browser: Browser;
  /** The address that opens a notebook of the lab's folder in a clean workspace. */
  address(notebook: string): string;
  /** Writes a notebook of code cells into the lab's folder and returns its name. */
  write(name: string, cells: readonly string[], kernel?: string): string;
  newPage(): Promise<Page>;
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

/** Starts JupyterLab and the browser at the first call; a root hook stops both after the last test. */
export async function useLab(context: Mocha.Context): Promise<Laboratory> {
  if (laboratory) return laboratory;
  const browser = await launchBrowser(context);
  try {
    process.env.JUPYTERLAB_SETTINGS_DIR = writeSettings();
    const lab = await startTestLab(context);
    const { origin, searchParams } = new URL(lab.url);
    const token = searchParams.get("token") ?? "";
    laboratory = {
      lab,
      browser,
      address: (notebook) => `${origin}/lab/tree/${notebook}?token=${token}&reset`,
      write: (name, cells, kernel = "turnwise") => {
        fs.writeFileSync(path.join(lab.notebooks, name), notebookText(cells, kernel));
        return name;
      },
      newPage: async () => {
        const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
        // On a busy machine a page may need a minute for what takes it a second.
        page.setDefaultTimeout(90_000);
        return page;
      },
    };
    return laboratory;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

after(async function () {
  this.timeout(60_000);
  delete process.env.JUPYTERLAB_SETTINGS_DIR;
  await laboratory?.browser.close();
  await stopTestLab(laboratory?.lab);
  laboratory = undefined;
});
