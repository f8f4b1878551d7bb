import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { exclusively } from "turnwise-kernel/bootstrap/lock.cjs";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "./browser.js";
import { root } from "./paths.js";
import { serveFolders, type StaticServer } from "./staticServer.js";

/** Where kernels run: a browser, and a server whose first page is a kernel's. */
export interface KernelSite {
  readonly browser: Browser;
  readonly server: StaticServer;
  /** The address of the site, of the kernel's scripts, and the notebook's folder in the site, for a folder of the disk. */
  place(cwd: string): { readonly base: string; readonly scripts: string; readonly location: string };
  /** Makes a page that was just opened what the site's own pages are. */
  prepare?(page: Page): Promise<void>;
}

/** The page of a kernel, whose script is given. */
export const kernelPage = (script: string): string => `<!doctype html><script src="${script}"></script>`;

/** The packages of npm that cells can import here. */
const packages = ["@tensorflow/tfjs-layers"];

interface Builders {
  writeTestParts(root: string, folder: string): Promise<void>;
  bundlePackages(root: string, folder: string, names: readonly string[]): Promise<void>;
}

/** When the sources of the bundles were written last, as one short text. */
function sourcesNow(): string {
  const times = ["kernel/src", "site/src", "site/builder", "lib/turnwise/src", "package-lock.json"].flatMap(
    (place) =>
      [place, ...(place.includes(".") ? [] : readdirSync(join(root, place), { recursive: true }))].map(
        (name) => {
          const file = name === place ? name : join(place, String(name));
          return `${file} ${statSync(join(root, file)).mtimeMs}`;
        },
      ),
  );
  return createHash("sha256").update(times.join()).digest("hex").slice(0, 16);
}

let made: Promise<string> | undefined;

/** The folder of the bundles of the site, which are made again when a source has changed. */
export const partsFolder = (): Promise<string> => (made ??= madeParts());

async function madeParts(): Promise<string> {
  const folder = join(root, "build/site-tests", sourcesNow());
  if (existsSync(folder)) return folder;
  // Lanes that need them at the same time build them once.
  return exclusively(root, async () => (existsSync(folder) ? folder : makeParts(folder)));
}

async function makeParts(folder: string): Promise<string> {
  const all = join(root, "build/site-tests");
  // A process that cannot have the lock may be doing the same: what is under the final name is whole.
  const making = `${folder}.${process.pid}`;
  const load = createRequire(join(root, "site/builder/parts.cjs"));
  const { writeTestParts, bundlePackages } = {
    ...(load("./parts.cjs") as Builders),
    ...(load("./packages.cjs") as Builders),
  };
  await writeTestParts(root, making);
  await bundlePackages(root, join(making, "packages"), packages);
  for (const old of readdirSync(all)) if (!/\.\d+$/.test(old)) rmSync(join(all, old), { recursive: true });
  try {
    renameSync(making, folder);
  } catch {
    rmSync(making, { recursive: true });
  }
  return folder;
}

/** The site's service worker, without the files of JupyterLite. */
const serviceWorker = (): string =>
  readFileSync(join(root, "site/static/service-worker.js"), "utf8")
    .replace("SITE_STAMP", "test")
    .replace("FIRST_FILES", "{}") +
  'self.addEventListener("install", () => self.skipWaiting());\n' +
  'self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));\n';

/** A page that keeps its workers at hand by their address, as no driver of a browser reaches those of all of them. */
const withWorkers = (page: string): string =>
  page.replace(
    "<script ",
    "<script>globalThis.workersByUrl = {}; globalThis.Worker = class extends Worker {\n" +
      "constructor(url) { super(url); workersByUrl[url] = this; } };</script><script ",
  );

/** A worker's script that hangs when it is told to. */
const hangable = (file: string): string =>
  'addEventListener("message", ({ data }) => { if (data.hang) for (;;); });\n' + readFileSync(file, "utf8");

/** The names in a folder of the disk, as JupyterLite lists them. */
function listing(path: string): string | undefined {
  const folder = /^\/api\/contents(.*)\/all\.json$/.exec(path)?.[1];
  if (folder === undefined || !statSync(folder || "/", { throwIfNoEntry: false })?.isDirectory())
    return undefined;
  const content = readdirSync(folder || "/", { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    type: entry.isDirectory() ? "directory" : "file",
  }));
  return JSON.stringify({ content });
}

/** What the page tells, which TypeScript sees as a page of its own. */
interface Window {
  readonly isSecureContext: boolean;
  readonly navigator: {
    readonly serviceWorker: {
      readonly controller: object | null;
      register(script: string): Promise<object>;
      addEventListener(type: "controllerchange", heard: () => void, o: { once: true }): void;
    };
  };
}

/** A page that no header isolates, behind the service worker of the site: cells ask that one whether they are to stop. */
async function behindServiceWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { serviceWorker } = (globalThis as unknown as Window).navigator;
    if (serviceWorker.controller) return;
    const controlled = new Promise<void>((resolve) =>
      serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
    );
    await serviceWorker.register("service-worker.js");
    await controlled;
  });
}

/** Serves the bundles and the disk to pages of a browser, by default a headless Chromium of its own. */
export async function openKernelSite(o: { isolated?: boolean; browser?: Browser } = {}): Promise<KernelSite> {
  const isolated = o.isolated ?? true;
  const parts = await partsFolder();
  const script = serviceWorker();
  const extra = (_method: string, path: string): string | undefined => {
    if (path === "/") return withWorkers(kernelPage("parts/bare.js"));
    if (path === "/parts/types.js") return hangable(join(parts, "types.js"));
    return path === "/service-worker.js" ? script : listing(path);
  };
  const server = await serveFolders({ parts, files: "/" }, { isolated, extra });
  const place: KernelSite["place"] = (cwd) => ({
    base: server.url,
    scripts: `${server.url}parts/`,
    location: cwd.replace(/^\//, ""),
  });
  const browser = o.browser ?? (await launchBrowser(undefined));
  return { browser, server, place, ...(!isolated && { prepare: behindServiceWorker }) };
}
