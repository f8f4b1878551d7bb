import type { AnyText } from "../base/anyText";
import type { MetricName } from "../base/glossary";
import { expectKnown } from "../base/expect";
import { bootstrapInterval } from "../base/interval";
import { mean } from "../base/statistics";
import { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";
import { vegaLiteMime, type VegaLiteSpec } from "./chart";
import { curveSpec, type CurvePoint } from "./curveSpec";
import { decimate } from "./decimate";
import { curveTitle } from "./endTitle";
import { metricLabel } from "../base/metricLabel";
import { saveSpec, type SaveOptions } from "./save";
import { followingTheme } from "./theme";
import type { CurveRecord } from "../sweep/runsOf";

/** Content and update interval of a `liveCurve`. */
export interface LiveCurveOptions {
  /** A name of the metric glossary, such as `return/exact`. */
  readonly metric: MetricName | AnyText;
  /** Default: where each series has got. */
  readonly title?: string;
  readonly optimum?: number;
  /** Updates planned per series. If given, the subtitle tells the time left. */
  readonly total?: number;
  /** Upper limit of points drawn per series; spikes are kept. */
  readonly maxPoints?: number;
}

/** Records that come in a shorter time, as stored ones do, say nothing about the speed of training. */
const shortestMs = 250;

/**
 * A learning curve that redraws itself while records arrive.
 *
 * Show it once with `display(curve)`, then call `curve.add(record)` for every record. A kernel that knows
 * `Symbol.for("turnwise.live")` redraws it at its own pace; elsewhere it shows what it held when it was displayed.
 */
export class LiveCurve {
  readonly #options: LiveCurveOptions;
  readonly #series = new Map<string, CurvePoint[]>();
  /** Of a series whose records name their seeds: the values of all seeds at each update. */
  readonly #seeds = new Map<string, SeedValues>();
  readonly #listeners = new Set<() => void>();
  #current = "";
  #startedAt = 0;
  #firstUpdate = 0;
  #rate = 0;

  constructor(options: LiveCurveOptions) {
    expectKnown("draw a live curve", options, ["metric", "title", "optimum", "total", "maxPoints"]);
    this.#options = options;
  }

  /** Whether a notebook shows it. */
  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * Adds one record to a series; a record without the metric is ignored.
   *
   * Records that name their seeds are drawn as the mean of the seeds that have got so far, with its bootstrap interval.
   */
  add(record: CurveRecord, series = "run", seed?: number): void {
    const y = record.metrics[this.#options.metric];
    if (y === undefined) return;
    if (seed !== undefined) {
      let values = this.#seeds.get(series);
      if (!values) this.#seeds.set(series, (values = new SeedValues()));
      values.add(seed, record.update, y);
    }
    let points = this.#series.get(series);
    if (!points) this.#series.set(series, (points = []));
    this.#clock(series, record.update);
    points.push({ series, x: record.update, y });
    for (const notify of this.#listeners) notify();
  }

  /** Wraps a stream of records: draws each record and passes it on. */
  async *follow<R extends CurveRecord>(records: AsyncIterable<R>, series = "run"): AsyncGenerator<R> {
    for await (const record of records) {
      this.add(record, series);
      yield record;
    }
  }

  #clock(series: string, update: number): void {
    const now = performance.now();
    if (series !== this.#current) {
      this.#current = series;
      this.#startedAt = now;
      this.#firstUpdate = update;
      this.#rate = 0;
    } else if (now - this.#startedAt >= shortestMs) {
      this.#rate = ((update - this.#firstUpdate) * 1000) / (now - this.#startedAt);
    }
  }

  #progress(): string {
    const last = this.#series.get(this.#current)?.at(-1);
    if (!last) return "waiting for the first record";
    if (this.#seeds.size > 0) {
      const begun = [...this.#seeds].map(
        ([name, { count }]) => `${name}: ${count} seed${count === 1 ? "" : "s"}`,
      );
      return `${begun.join(", ")} so far; mean of those that have got there, band: 95 % bootstrap interval`;
    }
    const { total } = this.#options;
    const parts = [`${this.#current}: update ${last.x}${total === undefined ? "" : ` of ${total}`}`];
    if (this.#rate > 0) parts.push(`${Math.round(this.#rate)} updates/s`);
    const left = total === undefined || this.#rate === 0 ? 0 : (total - last.x) / this.#rate;
    if (left >= 1) parts.push(`${Math.round(left)} s left`);
    return parts.join(", ");
  }

  /** The chart as a Vega-Lite spec. */
  toSpec(): VegaLiteSpec {
    const { metric, title, optimum, maxPoints, total } = this.#options;
    const series = [...this.#series.keys()];
    const points = series.flatMap((name) => {
      const most = maxPoints ?? 400;
      return this.#seeds.get(name)?.points(name, most) ?? decimate(this.#series.get(name)!, most);
    });
    return curveSpec(points, series, {
      title: title ?? (points.length === 0 ? "Training" : curveTitle(points, series)),
      subtitle: this.#progress(),
      xTitle: "update",
      yTitle: metricLabel(metric),
      description: this.#summary(),
      ...(total === undefined ? {} : { xDomain: [0, total] as const }),
      ...(optimum === undefined
        ? {}
        : { reference: { y: optimum, label: `exact optimum ${optimum.toFixed(3)}` } }),
    });
  }

  /** Writes what it holds now to a file; see `Chart.save`. */
  save(path: string, options?: SaveOptions): Promise<string> {
    return saveSpec(this.toSpec(), path, options);
  }

  #summary(): string {
    const ends = [...this.#series].map(([name, points]) => {
      const { x, y } = this.#seeds.get(name)?.last(name) ?? points.at(-1)!;
      return `${name}: ${y.toFixed(3)} after update ${x}`;
    });
    const { metric, optimum } = this.#options;
    const aim = optimum === undefined ? "" : `; the exact optimum is ${optimum.toFixed(3)}`;
    return `Live learning curve of ${metric}. ${ends.join(", ") || "No records yet"}${aim}.`;
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { [vegaLiteMime]: followingTheme(this.toSpec()), "text/plain": this.#summary() };
  }

  /** Live view of it in a notebook while it changes. */
  [liveSymbol](notify: () => void): () => void {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  }
}

/** The values of several seeds, update by update; a seed that is trained again replaces what it had. */
class SeedValues {
  readonly #at = new Map<number, Map<number, number>>();
  readonly #seeds = new Set<number>();

  get count(): number {
    return this.#seeds.size;
  }

  add(seed: number, update: number, y: number): void {
    this.#seeds.add(seed);
    const ys = this.#at.get(update);
    if (ys) ys.set(seed, y);
    else this.#at.set(update, new Map([[seed, y]]));
  }

  /** The mean of the seeds that have got furthest. */
  last(series: string): CurvePoint {
    const x = Math.max(...this.#at.keys());
    return { series, x, y: mean(inOrder(this.#at.get(x)!)) };
  }

  /** Means with their intervals, at most so many points. */
  points(series: string, most: number): CurvePoint[] {
    const means = [...this.#at]
      .sort(([a], [b]) => a - b)
      .map(([x, values]) => {
        const ys = inOrder(values);
        return { series, x, y: mean(ys), ys };
      });
    return decimate(means, most).map(({ ys, ...point }) => {
      if (ys.length === 1 || !ys.every(Number.isFinite)) return point;
      const { low, high } = bootstrapInterval(ys, { resamples: 200 });
      return { ...point, low, high };
    });
  }
}

/** By their seeds: a mean, and even more an interval, must not depend on which thread was first. */
const inOrder = (values: ReadonlyMap<number, number>): number[] =>
  [...values].sort(([a], [b]) => a - b).map(([, y]) => y);

/**
 * A learning curve that redraws itself while records arrive; see `LiveCurve`.
 *
 * @example
 * import { liveCurve, train } from "turnwise";
 * const curve = liveCurve({ metric: "reward/mean", total: 10 }); // in a notebook: display(curve)
 * const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 10 });
 * for await (const { update } of curve.follow(run)) console.log(update);
 */
export function liveCurve(options: LiveCurveOptions): LiveCurve {
  return new LiveCurve(options);
}
