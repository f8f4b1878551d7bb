import { displaySymbol, liveSymbol, type MimeBundle } from "./display";
import { ProgressBar, type ProgressBarOptions } from "./progressBar";
import { session } from "./session";

/** A bar is shown after so long, if at least as much is left. */
const SHORT_MS = 1000;

/** A progress bar that shows itself once the work turns out to be long, where there is somebody to see it. */
export class DelayedProgressBar {
  readonly #bar: ProgressBar;
  readonly #begun = performance.now();
  readonly #total: number;
  #done = 0;
  #settled: boolean;
  #whole = false;

  constructor({
    shown = true,
    ...o
  }: ProgressBarOptions & { readonly total: number; readonly shown?: boolean }) {
    this.#bar = new ProgressBar(o);
    this.#total = o.total;
    this.#settled = !shown;
  }

  /** One more update is done. */
  add(metrics: Readonly<Partial<Record<string, number>>>): void {
    this.#bar.add({ update: ++this.#done, metrics });
    const spent = performance.now() - this.#begun;
    const left = (spent / this.#done) * (this.#total - this.#done);
    if (this.#settled || spent < SHORT_MS || left < SHORT_MS) return;
    this.#settled = true;
    const notebook = session();
    if (notebook) notebook.display(this.#inNotebook(), {});
    else if (typeof process === "object" && process.stderr?.isTTY) this.#bar.writeTo(process.stderr);
  }

  /** Nothing more comes; a notebook keeps the bar only if some is missing. */
  end(): void {
    this.#whole = this.#done >= this.#total;
    this.#bar.end();
  }

  /** A bar that is full says nothing that the result does not say, and its times would differ in every stored notebook. */
  #inNotebook(): object {
    const nothing: MimeBundle = { "text/html": "", "text/plain": "" };
    return {
      [displaySymbol]: () => (this.#whole ? nothing : this.#bar[displaySymbol]()),
      [liveSymbol]: (notify: () => void) => this.#bar[liveSymbol](notify),
    };
  }
}
