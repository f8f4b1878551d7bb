import net, { type AddressInfo, type Socket } from "node:net";

/** A network between a browser and a server on this machine. */
export interface LinkSpeed {
  /** Of all connections together, towards the browser; Infinity sets no limit. */
  readonly bitsPerSecond: number;
  /** From a request to the first byte of its answer. */
  readonly latencyMs: number;
}

/** How much of one connection goes through before the next has its turn, in bytes. */
const portion = 8 * 1024;
/** What waits on this side of the link at most, before the server is asked to wait. */
const waitingMost = 32 * portion;
const tickMs = 4;

/** What a server has sent on one connection, and the link has not carried yet. */
interface Way {
  readonly waiting: Buffer[];
  bytes: number;
  isEnded: boolean;
  readonly server: Socket;
  readonly browser: Socket;
}

/**
 * Carries connections to a server as a slow network does: one rate for all of them in turns, and a latency. The throttle of the
 * DevTools protocol counts each worker by itself, and knows nothing of what a service worker loads.
 */
export class Link {
  /** What the browser has been sent until then, with the heads of the answers, and when. */
  private readonly sent: { readonly at: number; readonly bytes: number }[] = [{ at: 0, bytes: 0 }];
  private readonly ways: Way[] = [];
  private readonly listener: net.Server;
  private timer: NodeJS.Timeout | undefined;
  private last = 0;
  private budget = 0;

  private constructor(
    private readonly to: number,
    private readonly speed: LinkSpeed,
  ) {
    this.listener = net.createServer({ noDelay: true }, (browser) => this.connect(browser));
  }

  static async open(to: number, speed: LinkSpeed): Promise<Link> {
    const link = new Link(to, speed);
    await new Promise<void>((resolve) => link.listener.listen(0, "127.0.0.1", resolve));
    return link;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** What the browser has been sent until a time, as `Date.now()` gives it. */
  bytesUntil(time: number): number {
    return this.sent.findLast(({ at }) => at <= time)!.bytes;
  }

  close(): void {
    clearInterval(this.timer);
    this.listener.close();
    for (const { server, browser } of this.ways) {
      server.destroy();
      browser.destroy();
    }
  }

  private connect(browser: Socket): void {
    const server = net.connect({ port: this.to, host: "127.0.0.1", noDelay: true });
    const way: Way = { waiting: [], bytes: 0, isEnded: false, server, browser };
    this.ways.push(way);
    const half = this.speed.latencyMs / 2;
    // A connection is made by a round trip of its own.
    let quietUntil = performance.now() + this.speed.latencyMs;
    browser.on("data", (data) => {
      const wait = Math.max(0, quietUntil - performance.now()) + half;
      quietUntil = Math.max(quietUntil, performance.now());
      setTimeout(() => server.writable && server.write(data), wait);
    });
    server.on("data", (data: Buffer) => {
      for (let at = 0; at < data.length; at += portion) way.waiting.push(data.subarray(at, at + portion));
      way.bytes += data.length;
      if (way.bytes > waitingMost) server.pause();
      this.start();
    });
    const end = (): void => {
      browser.destroy();
      server.destroy();
      const at = this.ways.indexOf(way);
      if (at >= 0) this.ways.splice(at, 1);
    };
    browser.on("close", end).on("error", end);
    server.on("error", end);
    // A server closes what has been idle for long: so does the link, behind what it still carries.
    server.on("end", () => {
      way.isEnded = true;
      if (way.waiting.length === 0) this.endSoon(way);
    });
  }

  private start(): void {
    if (this.timer) return;
    this.last = performance.now();
    this.timer = setInterval(() => this.carry(), tickMs);
    this.carry();
  }

  private carry(): void {
    const now = performance.now();
    const { bitsPerSecond } = this.speed;
    this.budget = Number.isFinite(bitsPerSecond)
      ? this.budget + ((now - this.last) * bitsPerSecond) / 8000
      : Infinity;
    this.last = now;
    while (this.budget > 0) {
      const at = this.ways.findIndex(({ waiting }) => waiting.length > 0);
      if (at < 0) {
        clearInterval(this.timer);
        this.timer = undefined;
        this.budget = 0;
        return;
      }
      // To the end of the row, so that the others have their turn.
      const [way] = this.ways.splice(at, 1) as [Way];
      this.ways.push(way);
      this.send(way);
    }
  }

  private send(way: Way): void {
    const data = way.waiting.shift()!;
    way.bytes -= data.length;
    this.budget -= data.length;
    this.sent.push({ at: Date.now(), bytes: this.sent.at(-1)!.bytes + data.length });
    if (way.bytes < waitingMost) way.server.resume();
    setTimeout(() => way.browser.writable && way.browser.write(data), this.speed.latencyMs / 2);
    if (way.isEnded && way.waiting.length === 0) this.endSoon(way);
  }

  private endSoon({ browser }: Way): void {
    setTimeout(() => browser.end(), this.speed.latencyMs / 2);
  }
}
