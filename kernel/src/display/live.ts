import { toBundle, type MimeBundle } from "./bundle.js";

/**
 * An object with a method of this name changes after it was displayed: the method takes a function to call at
 * every change, and returns one that ends the subscription. A change that brings its own bundle is sent as it is and at
 * once; the object as a whole follows when the cell ends.
 */
export const liveSymbol = Symbol.for("turnwise.live");

interface Live {
  value: unknown;
  cell: string;
  sentAt: number;
  /** How long drawing and sending took the last time. */
  cost: number;
  dirty: boolean;
  end: () => void;
}

const shortestGapMs = 250;
/** Drawing takes at most this share of a program's time, however large the chart or busy the machine. */
const largestShare = 1 / 20;

/** Sends displayed objects again when they change. */
export class LiveDisplays {
  private readonly displays = new Map<string, Live>();

  constructor(
    private readonly update: (id: string, bundle: MimeBundle, cell: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Subscribes to a value that was just displayed under an id, if it is live. */
  watch(id: string, value: unknown, cell: string): void {
    if (!isLive(value)) return;
    this.displays.get(id)?.end();
    const live: Live = { value, cell, sentAt: this.now(), cost: 0, dirty: false, end: () => undefined };
    this.displays.set(id, live);
    const end = value[liveSymbol]((update) => this.notify(id, live, update));
    live.end = typeof end === "function" ? end : () => undefined;
  }

  /** Sends what has changed since it was last sent: when a cell ends, its displays show the final state. */
  flush(): void {
    for (const [id, live] of this.displays) if (live.dirty) this.send(id, live);
  }

  /** Ends the subscriptions of one cell's displays, or all. */
  clear(cell?: string): void {
    for (const [id, live] of this.displays) {
      if (cell !== undefined && live.cell !== cell) continue;
      live.end();
      this.displays.delete(id);
    }
  }

  private notify(id: string, live: Live, update: MimeBundle | undefined): void {
    if (this.displays.get(id) !== live) return;
    if (update) {
      live.dirty = true;
      return this.update(id, update, live.cell);
    }
    const gap = Math.max(shortestGapMs, live.cost / largestShare);
    if (this.now() - live.sentAt >= gap) this.send(id, live);
    else live.dirty = true;
  }

  private send(id: string, live: Live): void {
    const begun = this.now();
    live.dirty = false;
    const bundle = toBundle(live.value);
    if (bundle instanceof Promise) {
      void bundle.then((ready) => this.update(id, ready, live.cell)).catch(() => undefined);
    } else this.update(id, bundle, live.cell);
    live.sentAt = this.now();
    live.cost = live.sentAt - begun;
  }
}

/** True when a value has the live method. */
export function isLive(
  value: unknown,
): value is { [liveSymbol](notify: (update?: MimeBundle) => void): () => void } {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { [liveSymbol]?: unknown })[liveSymbol] === "function"
  );
}
