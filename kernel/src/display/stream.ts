import { randomUUID } from "node:crypto";
import { displaySymbol } from "./bundle.js";
import type { MimeBundle } from "../protocol/message.js";
import { liveSymbol } from "./live.js";
import { streamPicture, type Line } from "./stream-picture.js";

/** Options of a streaming chart. */
export interface StreamChartOptions {
  title?: string;
  /** Title of the horizontal axis, with its unit. */
  x?: string;
  /** Title of the vertical axis, with its unit. */
  y?: string;
  /** In pixels; default 640. */
  width?: number;
  /** In pixels; default 300. */
  height?: number;
}

/** The media type that the lab extension `turnwise-stream-chart` shows. */
const streamMimeType = "application/vnd.turnwise.stream+json";

/**
 * Each has a contrast of at least 3:1 on white and on dark backgrounds up to #333333; turnwise's charts use the first four.
 * Not everybody can tell seven such colors apart, so the dash pattern is a second cue.
 */
export const streamColors = ["#4080E0", "#D55E00", "#009E73", "#CC79A7", "#A8780A", "#8F6FD6", "#808080"];
const shortestGapMs = 100;

interface View {
  notify: (update?: MimeBundle) => void;
  sentAt: number;
  /** Number of points of each series that the page already has. */
  sent: Map<string, number>;
}

/**
 * A line chart that grows while a cell runs, also inside a synchronous loop.
 *
 * Each update carries the new points for the lab extension and a picture (SVG) for pages without it; when the cell
 * ends, all points follow once more, so that a saved notebook holds the whole.
 */
export class StreamChart {
  private readonly key = randomUUID();
  private readonly series = new Map<string, { x: number[]; y: (number | null)[] }>();
  private readonly views = new Set<View>();
  private readonly o: Required<StreamChartOptions>;

  /** @throws {RangeError} if a size is not positive */
  constructor(o: StreamChartOptions = {}) {
    this.o = { title: "", x: "step", y: "value", width: 640, height: 300, ...o };
    for (const name of ["width", "height"] as const) {
      if (!(this.o[name] > 0 && this.o[name] < 10_000))
        throw new RangeError(
          `Cannot make a chart: ${name} must be positive and below 10000, got ${this.o[name]}.`,
        );
    }
  }

  /** The number of points so far, of all series. */
  get points(): number {
    return [...this.series.values()].reduce((sum, { x }) => sum + x.length, 0);
  }

  /**
   * Adds a point to each named series, at `x` or one step after the series' last point. A value that is not finite
   * makes a gap.
   *
   * @throws {RangeError} if `x` is not finite
   */
  push(values: Readonly<Record<string, number>>, x?: number): void {
    if (x !== undefined && !Number.isFinite(x))
      throw new RangeError(`Cannot add a point: x must be finite, got ${x}.`);
    for (const [name, value] of Object.entries(values)) {
      let one = this.series.get(name);
      if (!one) this.series.set(name, (one = { x: [], y: [] }));
      one.x.push(x ?? (one.x.at(-1) ?? -1) + 1);
      one.y.push(Number.isFinite(value) ? value : null);
    }
    const now = performance.now();
    for (const view of this.views) {
      if (now - view.sentAt < shortestGapMs) continue;
      view.sentAt = now;
      view.notify(this.bundle(view.sent));
      this.noteSent(view);
    }
  }

  /** All points so far. */
  [displaySymbol](): MimeBundle {
    return this.bundle(new Map());
  }

  [liveSymbol](notify: (update?: MimeBundle) => void): () => void {
    const view: View = { notify, sentAt: performance.now(), sent: new Map() };
    this.noteSent(view);
    this.views.add(view);
    return () => this.views.delete(view);
  }

  private noteSent(view: View): void {
    for (const [name, { x }] of this.series) view.sent.set(name, x.length);
  }

  private bundle(sent: ReadonlyMap<string, number>): MimeBundle {
    const { title, x: xTitle, y: yTitle, width, height } = this.o;
    const series = [...this.series].map(([name, { x, y }]) => {
      const from = sent.get(name) ?? 0;
      return { name, from, x: x.slice(from), y: y.slice(from) };
    });
    const lines: Line[] = [...this.series].map(([name, { x, y }]) => ({ name, x, y }));
    return {
      [streamMimeType]: { key: this.key, title, xTitle, yTitle, width, height, colors: streamColors, series },
      "image/svg+xml": streamPicture(lines, { title, xTitle, yTitle, width, height, colors: streamColors }),
      "text/plain": `<chart ${title} of ${this.points} points>`,
    };
  }
}

/** A line chart that grows while a cell runs: display it once, then `push` points. */
export function streamChart(o: StreamChartOptions = {}): StreamChart {
  return new StreamChart(o);
}
