import type { AnyText } from "./anyText";
import { displaySymbol, liveSymbol, type MimeBundle } from "./display";
import { escapeHtml } from "./escapeHtml";
import type { MetricName } from "./glossary";

/** Fields of a record that the bar needs. */
interface ProgressRecord {
  readonly update: number;
  readonly metrics: Readonly<Partial<Record<string, number>>>;
}

/** Text sink, such as `process.stderr`. */
export interface TextSink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Takes text, as a terminal does. */
  write(text: string): unknown;
}

/** Content and place of a progress bar. */
export interface ProgressBarOptions {
  /** Number of updates planned; `follow` takes it from the run that it follows. */
  readonly total?: number;
  /** The metric shown after the bar, where records have it. Default `reward/mean`. */
  readonly metric?: MetricName | AnyText;
  /** Text before the bar; a function is called at every drawing. */
  readonly label?: string | (() => string);
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const CELLS = 20;
/** The least time between two drawings: on a terminal, which redraws its line, and in a file or pipe, which gets a new one. */
const REDRAW_MS = 100;
const LINE_MS = 10_000;

/**
 * The progress of a training run: a bar, the rate, the time left and a metric.
 *
 * In a notebook, show it with `display(bar)`; a kernel that knows `Symbol.for("turnwise.live")` redraws it. In a
 * terminal, `bar.writeTo(process.stderr)` rewrites one line ten times a second; a file or pipe gets a line every ten
 * seconds. The time left is (total - done) / rate, where the rate counts from the first record of this bar.
 *
 * @example
 * import { train } from "turnwise";
 * import { progressBar } from "turnwise/plot";
 * const bar = progressBar({ label: "Tiger" });
 * const run = train({ env: "Tiger-v0", recipe: "grpo", updates: 20 });
 * for await (const record of bar.follow(run)) console.log(record.update);
 * bar.toString(); // a notebook shows `bar` itself
 */
export class ProgressBar {
  readonly #metric: string;
  readonly #label: () => string;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #total: number | undefined;
  #sink: TextSink | undefined;
  #drawnAt = -Infinity;
  #drawnWidth = 0;
  #first: { readonly at: number; readonly update: number } | undefined;
  #last: { readonly at: number; readonly update: number; readonly value: number | undefined } | undefined;
  #ended = false;

  constructor({ total, metric = "reward/mean", label = "training", now }: ProgressBarOptions = {}) {
    this.#total = total;
    this.#metric = metric;
    this.#label = typeof label === "function" ? label : () => label;
    this.#now = now ?? (() => performance.now());
  }

  /** Draws to a sink from now on. Returns the bar. */
  writeTo(sink: TextSink): this {
    this.#sink = sink;
    return this;
  }

  /** Takes one record and redraws. */
  add({ update, metrics }: ProgressRecord): void {
    const at = this.#now();
    this.#first ??= { at, update };
    this.#last = { at, update, value: metrics[this.#metric] ?? this.#last?.value };
    this.#changed(false);
  }

  /** Draws the last state and ends the terminal's line, as no more records will come. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#changed(true);
  }

  /** Passes every record on, and ends when the records end, for whatever reason. */
  async *follow<R extends ProgressRecord>(
    records: AsyncIterable<R> & { readonly updates?: number },
  ): AsyncGenerator<R, void, undefined> {
    this.#total ??= records.updates;
    try {
      for await (const record of records) {
        this.add(record);
        yield record;
      }
    } finally {
      this.end();
    }
  }

  /** One line, at most `width` characters. */
  toString(width = Infinity): string {
    const done = this.#last?.update ?? 0;
    const total = this.#total;
    const parts = [
      ...(total === undefined ? [] : [bar(done / Math.max(1, total))]),
      total === undefined ? `update ${done}` : `${done}/${total}`,
      ...this.#speed(done),
    ];
    const value = this.#last?.value;
    if (value !== undefined) parts.push(`${this.#metric} ${value.toPrecision(3)}`);
    const line = `${this.#label()} ${parts.join("  ")}`;
    return line.length <= width ? line : line.slice(0, Math.max(0, width));
  }

  #speed(done: number): string[] {
    if (!this.#first || !this.#last || this.#last.at <= this.#first.at) return [];
    const seconds = (this.#last.at - this.#first.at) / 1000;
    const rate = (done - this.#first.update) / seconds;
    if (!(rate > 0)) return [];
    const speed = `${rate >= 10 ? Math.round(rate) : rate.toPrecision(2)}/s`;
    if (this.#total === undefined || done >= this.#total) return [speed, `${clock(seconds)} taken`];
    return [
      speed,
      this.#ended ? `stopped after ${clock(seconds)}` : `${clock((this.#total - done) / rate)} left`,
    ];
  }

  #changed(last: boolean): void {
    for (const notify of this.#listeners) notify();
    const sink = this.#sink;
    if (!sink) return;
    const at = this.#now();
    const gap = sink.isTTY ? REDRAW_MS : LINE_MS;
    if (!last && at - this.#drawnAt < gap) return;
    this.#drawnAt = at;
    if (!sink.isTTY) {
      sink.write(`${this.toString()}\n`);
      return;
    }
    // One column stays free because some terminals wrap a full line.
    const line = this.toString(Math.max(1, (sink.columns ?? 80) - 1));
    sink.write(`\r${line.padEnd(this.#drawnWidth)}${last ? "\n" : ""}`);
    this.#drawnWidth = line.length;
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const done = this.#last?.update ?? 0;
    const text = this.toString();
    const words = text.replace(/[█░]+ +/, "");
    const meter =
      this.#total === undefined
        ? ""
        : `<progress value="${done}" max="${this.#total}" aria-label="${escapeHtml(this.#label())}"></progress> `;
    return { "text/html": `<div>${meter}<code>${escapeHtml(words)}</code></div>`, "text/plain": text };
  }

  /** Live view of it in a notebook while it changes. */
  [liveSymbol](notify: () => void): () => void {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  }
}

/** The progress of a training run, in a notebook or a terminal; see `ProgressBar`. */
export function progressBar(options?: ProgressBarOptions): ProgressBar {
  return new ProgressBar(options);
}

function bar(fraction: number): string {
  const full = Math.round(CELLS * Math.min(1, Math.max(0, fraction)));
  return "█".repeat(full) + "░".repeat(CELLS - full);
}

/** Seconds as "8 s", "3:05" or "2:03:05". */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (n: number): string => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}
