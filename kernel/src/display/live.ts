import { setTimeout } from "node:timers";
import { toBundle } from "./bundle.js";
import { isPromise } from "./promises.js";
import type { MimeBundle } from "../protocol/message.js";

/**
 * An object with a method of this name changes after it was displayed. The method takes a function to call at
 * every change, and returns one that ends the subscription. A change that brings its own bundle is sent as it is and at
 * once; the object as a whole follows when the cell ends.
 */
export const liveSymbol = Symbol.for("turnwise.live");

interface Live {
  value: unknown;
  cell: string;
  sentAt: number;
  /** Duration of writing and sending: the shorter of the last two times, because the machine may have paused during one. */
  cost: number;
  lastCost: number | undefined;
  dirty: boolean;
  end: () => void;
}

/** However cheap a chart is to write, JupyterLab rebuilds it: about 100 ms in which the page shows no other frame. */
const shortestGapMs = 500;
/** Nobody reads numbers that change more often. */
const shortestHtmlGapMs = 200;
/**
 * The cost of writing a chart here predicts the cost of drawing it there: a page takes about sixty times as long (46 to 84
 * times, for three curves of 300 and of 10,000 points). With this factor a page draws a quarter of its time, and is not
 * left with a queue of charts where the machine is busy.
 */
const gapPerCost = 4 * 60;
const longestGapMs = 2000;
/** Writing takes at most this share of a program's time, however large the chart. */
const largestShare = 1 / 20;

function gapAfter(cost: number): number {
  return Math.max(shortestGapMs, Math.min(longestGapMs, gapPerCost * cost), cost / largestShare);
}

/** The same for HTML, which a page shows as fast as it comes: only what writing costs here counts. */
export const gapOfHtml = (cost: number): number => Math.max(shortestHtmlGapMs, cost / largestShare);

/** Sends displayed objects again when they change. */
export class LiveDisplays {
  private readonly displays = new Map<string, Live>();

  constructor(
    private readonly update: (id: string, bundle: MimeBundle, cell: string) => void,
    private readonly now: () => number = () => performance.now(),
    private readonly later: (run: () => void, ms: number) => void = (run, ms) => setTimeout(run, ms).unref(),
    private readonly gap: (cost: number) => number = gapAfter,
  ) {}

  /** Subscribes to a value that was just displayed under an id, if it is live. */
  watch(id: string, value: unknown, cell: string): void {
    if (!isLive(value)) return;
    this.displays.get(id)?.end();
    const live: Live = {
      value,
      cell,
      sentAt: this.now(),
      cost: 0,
      lastCost: undefined,
      dirty: false,
      end: () => undefined,
    };
    this.displays.set(id, live);
    const end = value[liveSymbol]((update) => this.notify(id, live, update));
    live.end = typeof end === "function" ? end : () => undefined;
  }

  /** Sends what has changed since the last time, so that the displays of a finished cell show the final state. */
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
    const wait = live.sentAt + this.gap(live.cost) - this.now();
    if (wait <= 0) return this.send(id, live);
    // There may be no further notification: what is left out now is sent when it is due.
    if (!live.dirty) this.later(() => this.sendIfDirty(id, live), wait);
    live.dirty = true;
  }

  private sendIfDirty(id: string, live: Live): void {
    if (live.dirty && this.displays.get(id) === live) this.send(id, live);
  }

  private send(id: string, live: Live): void {
    const begun = this.now();
    live.dirty = false;
    const bundle = toBundle(live.value);
    if (isPromise(bundle)) {
      void bundle.then((ready) => this.update(id, ready, live.cell)).catch(() => undefined);
    } else this.update(id, bundle, live.cell);
    live.sentAt = this.now();
    const took = live.sentAt - begun;
    live.cost = Math.min(took, live.lastCost ?? took);
    live.lastCost = took;
  }
}

/** True if a value has the live method. */
export function isLive(
  value: unknown,
): value is { [liveSymbol](notify: (update?: MimeBundle) => void): () => void } {
  try {
    return (
      typeof value === "object" &&
      value !== null &&
      typeof (value as { [liveSymbol]?: unknown })[liveSymbol] === "function"
    );
  } catch {
    // A proxy that is revoked, or throws at every look.
    return false;
  }
}
