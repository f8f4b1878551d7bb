import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, type LaunchOptions } from "../support/browser.js";
import { root } from "../support/paths.js";

type Namespace = Record<string, unknown>;

/** What a body that runs in the page's worker is handed. */
export interface Site {
  /** Imports a module as a cell would. */
  load<T = Namespace>(name: string): Promise<T>;
  /** Tells the library more of what the page offers. */
  setUp(offered: object): void;
  base: string;
}

const load = createRequire(path.join(root, "package.json"));

/** The script of the worker: it runs the bodies that it is sent, after the site has been set up for a notebook. */
const worker = `import { setUpLibrary, modules, setUp } from "./setUp.js";
setUpLibrary({ base: new URL("./", self.location).href, location: "notebooks" });
const AsyncFunction = (async () => {}).constructor;
self.onmessage = async ({ data: { id, body, argument } }) => {
  try {
    const run = await new AsyncFunction("return " + body)();
    const site = { load: (name) => modules[name](), setUp, base: new URL("./", self.location).href };
    self.postMessage({ id, value: await run(site, argument) });
  } catch (error) {
    self.postMessage({ id, error: String(error.stack ?? error) });
  }
};`;

const page = `<!doctype html><link rel="icon" href="data:,"><script type="module">
let count = 0;
const waiting = new Map();
const worker = new Worker("./worker.js", { type: "module" });
worker.onmessage = ({ data: { id, value, error } }) => {
  const { resolve, reject } = waiting.get(id);
  if (error === undefined) resolve(value); else reject(new Error(error));
};
worker.onerror = (event) => console.error(event.message);
window.run = (body, argument) => new Promise((resolve, reject) => {
  waiting.set(++count, { resolve, reject });
  worker.postMessage({ id: count, body, argument });
});
</script>`;

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".html": "text/html",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** The library in a page with one worker, served by a plain static server. */
export class LibraryPage {
  private constructor(
    private readonly browser: Browser,
    private readonly server: http.Server,
    readonly page: Page,
  ) {}

  /** @param isolated whether the server sends the headers without which no memory is shared between threads */
  static async open(
    context: Mocha.Context | undefined,
    isolated: boolean,
    o: LaunchOptions = {},
  ): Promise<LibraryPage> {
    await buildOnce();
    const server = http.createServer((request, response) => {
      const { pathname } = new URL(request.url!, "http://localhost");
      const content = contentOf(decodeURIComponent(pathname));
      const headers = isolated
        ? { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" }
        : {};
      const type = types[path.extname(pathname)] ?? "application/octet-stream";
      response.writeHead(content === undefined ? 404 : 200, { "Content-Type": type, ...headers });
      response.end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const browser = await launchBrowser(context, o);
    const opened = await browser.newPage();
    const { port } = server.address() as AddressInfo;
    await opened.goto(`http://127.0.0.1:${port}/page.html`);
    return new LibraryPage(browser, server, opened);
  }

  /** Runs a body in the worker and gives what it returns, which must be plain data. It sees only its arguments. */
  async run<T, A = undefined>(body: (site: Site, argument: A) => Promise<T>, argument?: A): Promise<T> {
    const given: unknown = await this.page.evaluate(
      ([text, value]) =>
        (globalThis as unknown as { run(body: string, value: unknown): unknown }).run(text, value),
      [body.toString(), argument] as const,
    );
    return given as T;
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async close(): Promise<void> {
    await this.browser.close();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const parts = path.join(root, "build", "site-library-test");
let built: Promise<void> | undefined;

function buildOnce(): Promise<void> {
  return (built ??= build());
}

async function build(): Promise<void> {
  const { bundleLibrary } = load("./site/builder/library.cjs") as {
    bundleLibrary(folder: string): Promise<unknown>;
  };
  const { bundle } = load("./site/builder/bundles.cjs") as { bundle(o: object): Promise<unknown> };
  await bundleLibrary(path.join(parts, "library"));
  const contents = `export { setUpLibrary } from "./site/src/library/setUp";
    export { modules } from "./site/src/library/modules";
    export { setUp } from "turnwise/browser";`;
  const entry = path.join(parts, "entry.ts");
  fs.writeFileSync(entry, contents.replaceAll('"./site', `"${root}/site`));
  await bundle({
    entry,
    outfile: path.join(parts, "setUp.js"),
    format: "esm",
    conditions: ["turnwise-source"],
  });
}

/** What a site serves: the parts, the repository's files, and listings as JupyterLite writes them. */
function contentOf(pathname: string): string | Buffer | undefined {
  if (pathname === "/page.html") return page;
  if (pathname === "/worker.js") return worker;
  const listing = /^\/api\/contents(\/.*)?\/all\.json$/.exec(pathname);
  if (listing) return listingOf(path.join(root, listing[1] ?? ""));
  const file = pathname.startsWith("/files/")
    ? path.join(root, pathname.slice("/files/".length))
    : path.join(parts, pathname);
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? fs.readFileSync(file) : undefined;
}

function listingOf(folder: string): string | undefined {
  if (!fs.existsSync(folder)) return undefined;
  const content = fs
    .readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({ name: entry.name, type: entry.isDirectory() ? "directory" : "file" }));
  return JSON.stringify({ content });
}
