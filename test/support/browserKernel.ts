// Uses internals of turnwise-kernel/client.
import type { Page } from "playwright-core";
import { KernelClient, type StartOptions, type Message } from "turnwise-kernel";
import type { KernelProcess } from "turnwise-kernel/dist/client/process.js";
import { openKernelSite, type KernelSite } from "./kernelSite.js";
import { patient } from "./patient.js";

// The kernel of the site in a headless browser, behind the same client that tests use for the kernel on Node.

/** What all kernels of a run share. */
let site: Promise<KernelSite> | undefined;

/** Ends what `startBrowserKernel` has started. */
export async function closeSite(): Promise<void> {
  const open = await site?.catch(() => undefined);
  site = undefined;
  await open?.browser.close();
  await open?.server.close();
}

type Receive = (channel: string, message: Message) => void;

/** A page instead of a process. */
export class KernelPage {
  readonly info = undefined;
  readonly pid = 0;
  running = false;
  ending = "its page was closed";
  page: Page | undefined;
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
    const { browser, server, place, prepare } = this.site;
    const page = await browser.newPage();
    this.page = page;
    if (process.env.TURNWISE_HOST_LOG) {
      page.on("console", (message) => console.error(`[page] ${message.text()}`));
      page.on("pageerror", (error) => console.error(`[page] ${error.stack}`));
    }
    await page.exposeFunction("turnwiseReceive", (text: string) => this.onMessage(text));
    await page.goto(server.url);
    await prepare?.(page);
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

const pages = new WeakMap<KernelClient, KernelPage>();

/** The page in which a kernel runs. */
export function pageOf(kernel: KernelClient): Page {
  const page = pages.get(kernel)?.page;
  if (!page) throw new Error("Cannot look at the kernel's page: it must run in one, but it runs on Node.js.");
  return page;
}

/** Starts the kernel of the site in a page of its own; without a site, that of the bundles made for tests. */
export async function startBrowserKernel(
  { cwd, startTimeoutMs }: StartOptions,
  given?: KernelSite,
): Promise<KernelClient> {
  // The bundles and the browser are no part of the kernel's start.
  const page = new KernelPage(
    cwd,
    given ?? (await (site ??= openKernelSite({ isolated: process.env.TURNWISE_ISOLATED !== "off" }))),
  );
  const client = new KernelClient(page as unknown as KernelProcess, (_info, _session, handlers) => {
    page.receive = (channel, message) => handlers[channel as keyof typeof handlers](message);
    return {
      send: (channel, message) => page.send(channel, message),
      sendFrames: () => {
        throw new Error("Cannot send frames to a page: there must be a socket.");
      },
      heartbeat: () => Promise.resolve(0),
      close: () => page.kill(),
    };
  });
  pages.set(client, page);
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
