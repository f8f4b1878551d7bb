import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { KernelClient, type StartOptions } from "turnwise-kernel";
import type { KernelProcess } from "turnwise-kernel/dist/client/process.js";
import type { Message } from "turnwise-kernel/dist/protocol/message.js";
import { patient } from "./patient.js";
import { root } from "./paths.js";
import { serveFolders, type StaticServer } from "./staticServer.js";
import { launchBrowser } from "./browser.js";

// The kernel of the site in a headless browser, behind the same client that tests use for the kernel on Node.

/** Where kernels run: a browser, and a server whose first page is a kernel's. */
export interface KernelSite {
  readonly browser: Browser;
  readonly server: StaticServer;
  /** The address of the site, of the kernel's scripts, and the notebook's folder in the site, for a folder of the disk. */
  place(cwd: string): { readonly base: string; readonly scripts: string; readonly location: string };
}

let site: Promise<KernelSite> | undefined;

/** The page of a kernel, whose script is given. */
export const kernelPage = (script: string): string => `<!doctype html><script src="${script}"></script>`;

/** The bundles of the site, made once, and a browser that all tests share. */
async function openSite(): Promise<KernelSite> {
  const parts = join(root, "build/site-tests");
  const { writeTestParts } = createRequire(__filename)(join(root, "kernel/site/parts.cjs")) as {
    writeTestParts(root: string, folder: string): Promise<void>;
  };
  // TURNWISE_PARTS=built takes those that an earlier run has made.
  if (process.env.TURNWISE_PARTS !== "built") await writeTestParts(root, parts);
  const server = await serveFolders(
    { parts, files: "/" },
    {
      isolated: process.env.TURNWISE_ISOLATED !== "off",
      extra: (_method, path) => (path === "/" ? kernelPage("parts/bare.js") : listing(path)),
    },
  );
  const place: KernelSite["place"] = (cwd) => ({
    base: server.url,
    scripts: `${server.url}parts/`,
    location: cwd.replace(/^\//, ""),
  });
  return { browser: await launchBrowser(undefined), server, place };
}

/** The names in a folder of the disk, as JupyterLite lists them. */
function listing(path: string): string | undefined {
  const folder = /^\/api\/contents(.*)\/all\.json$/.exec(path)?.[1];
  if (folder === undefined || !existsSync(folder || "/")) return undefined;
  const content = readdirSync(folder || "/", { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    type: entry.isDirectory() ? "directory" : "file",
  }));
  return JSON.stringify({ content });
}

/** Ends what `startBrowserKernel` has started. */
export async function closeSite(): Promise<void> {
  const open = await site?.catch(() => undefined);
  site = undefined;
  await open?.browser.close();
  await open?.server.close();
}

type Receive = (channel: string, message: Message) => void;

/** A page in the place of a process. */
class KernelPage {
  readonly info = undefined;
  readonly pid = 0;
  running = false;
  ending = "its page was closed";
  private page: Page | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private onExit: () => void = () => undefined;
  receive: Receive = () => undefined;

  constructor(
    private readonly cwd: string,
    private readonly site: KernelSite,
  ) {}

  launch(onExit: () => void): void {
    this.onExit = onExit;
    this.running = true;
    this.queue = this.open().catch((error: unknown) => {
      this.ending = String(error);
      this.kill();
    });
  }

  private async open(): Promise<void> {
    const { browser, server, place } = this.site;
    const page = await browser.newPage();
    this.page = page;
    if (process.env.TURNWISE_HOST_LOG) {
      page.on("console", (message) => console.error(`[page] ${message.text()}`));
      page.on("pageerror", (error) => console.error(`[page] ${error.stack}`));
    }
    await page.exposeFunction("turnwiseReceive", (text: string) => this.onMessage(text));
    await page.goto(server.url);
    await page.evaluate(
      (given) => (globalThis as unknown as { turnwiseStart(o: unknown): Promise<void> }).turnwiseStart(given),
      { id: "test", ...place(this.cwd) },
    );
  }

  private onMessage(text: string): void {
    const { channel, parent_header, buffers, ...message } = JSON.parse(text) as Message & {
      channel: string;
      parent_header: Message["parent"];
      buffers: string[];
    };
    const bytes = (buffers as unknown as string[]).map((one) => Buffer.from(one, "hex"));
    this.receive(channel, { ...message, identities: [], parent: parent_header, buffers: bytes });
  }

  send(channel: string, { header, parent, metadata, content, buffers }: Message): void {
    const text = JSON.stringify({
      channel,
      header,
      parent_header: parent,
      metadata,
      content,
      buffers: buffers.map((one) => Buffer.from(one).toString("hex")),
    });
    this.queue = this.queue
      .then(() =>
        this.page?.evaluate(
          (given) => (globalThis as unknown as { turnwiseSend(text: string): void }).turnwiseSend(given),
          text,
        ),
      )
      .catch(() => undefined);
  }

  kill(): void {
    if (!this.running) return;
    this.running = false;
    void this.page?.close().catch(() => undefined);
    this.onExit();
  }

  /** A page does not end by itself. */
  waitForExit(): Promise<boolean> {
    this.kill();
    return Promise.resolve(true);
  }

  cleanUp(): void {
    this.kill();
  }
}

/** Starts the kernel of the site in a page of its own; without a site, that of the bundles made for tests. */
export async function startBrowserKernel(
  { cwd, startTimeoutMs }: StartOptions,
  given?: KernelSite,
): Promise<KernelClient> {
  // The bundles and the browser are no part of the kernel's start.
  const page = new KernelPage(cwd, given ?? (await (site ??= openSite())));
  const client = new KernelClient(page as unknown as KernelProcess, (_info, _session, handlers) => {
    page.receive = (channel, message) => handlers[channel as keyof typeof handlers](message);
    return {
      send: (channel, message) => page.send(channel, message),
      sendFrames: () => {
        throw new Error("Cannot send frames to a page as there must be a socket: there is none");
      },
      heartbeat: () => Promise.resolve(0),
      close: () => page.kill(),
    };
  });
  await client.launch(startTimeoutMs ?? 30_000);
  // A completion waits for the types, which a page loads late: on Node cells are checked from the start.
  await client.request(
    "shell",
    "complete_request",
    { code: "1", cursor_pos: 1 },
    { timeoutMs: patient(60_000) },
  );
  return client;
}
