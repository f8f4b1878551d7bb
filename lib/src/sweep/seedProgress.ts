import { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";
import { ProgressBar } from "../base/progressBar";
import type { TrainRecord } from "../train";
import { session } from "./session";

/** A bar is shown after so long, if at least as much is left. */
const SHORT_MS = 1000;

/** The bar and the chart of seeds in training, shown where there is somebody to see them. */
export class SeedProgress {
  readonly #bar: ProgressBar;
  readonly #begun = performance.now();
  readonly #total: number;
  #updates = 0;
  #shown: boolean;
  #whole = false;

  constructor(o: {
    readonly label: () => string;
    readonly total: number;
    readonly shown: boolean;
    readonly chart: unknown;
  }) {
    this.#bar = new ProgressBar({ label: o.label, total: o.total });
    this.#total = o.total;
    this.#shown = !o.shown;
    // A chart that somebody has displayed already has listeners.
    const { watched } = (o.chart ?? {}) as { readonly watched?: boolean };
    if (o.chart !== undefined && watched !== true) session()?.display(o.chart, {});
  }

  add({ metrics }: TrainRecord): void {
    this.#bar.add({ update: ++this.#updates, metrics });
    const spent = performance.now() - this.#begun;
    const left = (spent / this.#updates) * (this.#total - this.#updates);
    if (this.#shown || spent < SHORT_MS || left < SHORT_MS) return;
    this.#shown = true;
    const notebook = session();
    if (notebook) notebook.display(this.#inNotebook(), {});
    else if (process.stderr.isTTY) this.#bar.writeTo(process.stderr);
  }

  /** The records end; a notebook keeps the bar only if some are missing. */
  end(): void {
    this.#whole = this.#updates >= this.#total;
    this.#bar.end();
  }

  /** A bar that is full says nothing that the runs do not say, and its times would differ in every stored notebook. */
  #inNotebook(): object {
    const nothing: MimeBundle = { "text/html": "", "text/plain": "" };
    return {
      [displaySymbol]: () => (this.#whole ? nothing : this.#bar[displaySymbol]()),
      [liveSymbol]: (notify: () => void) => this.#bar[liveSymbol](notify),
    };
  }
}
