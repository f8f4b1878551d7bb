import { DelayedProgressBar } from "../base/delayedProgressBar";
import { session } from "../base/session";
import type { TrainRecord } from "../train";

/** The bar and the chart of seeds in training, shown where there is somebody to see them. */
export class SeedProgress {
  readonly #bar: DelayedProgressBar;

  constructor(o: {
    readonly label: () => string;
    readonly total: number;
    readonly shown: boolean;
    readonly chart: unknown;
  }) {
    this.#bar = new DelayedProgressBar(o);
    // A chart that somebody has displayed already has listeners.
    const { watched } = (o.chart ?? {}) as { readonly watched?: boolean };
    if (o.chart !== undefined && watched !== true) session()?.display(o.chart, {});
  }

  add({ metrics }: TrainRecord): void {
    this.#bar.add(metrics);
  }

  /** The records end; a notebook keeps the bar only if some are missing. */
  end(): void {
    this.#bar.end();
  }
}
