/** A shorter run ends before anyone wonders what takes so long. */
const ENOUGH_MS = 10_000;

let told = false;

/** Share of a run's time that exact evaluation takes: in a large world nearly all of it, without any outward sign. */
export class ExactCost {
  #exactMs = 0;
  #totalMs = 0;

  /** @param every from one exact evaluation to the next, in updates; 0 for none */
  constructor(private readonly every: number) {}

  /** Evaluates, and counts the time. */
  of<T>(evaluate: () => T): T {
    if (this.every === 0) return evaluate();
    const before = performance.now();
    const found = evaluate();
    this.#exactMs += performance.now() - before;
    return found;
  }

  /** Takes note of the time of the whole run so far, and warns of the first run of a program of which this takes more than half. */
  tell(totalMs: number): void {
    this.#totalMs = totalMs;
    const { sentence } = this;
    if (told || sentence === undefined) return;
    told = true;
    console.warn(sentence);
  }

  /** Advice for a reader; undefined if exact evaluation takes less than half of the time, or the run is short. */
  get sentence(): string | undefined {
    if (this.#totalMs < ENOUGH_MS || this.#exactMs <= this.#totalMs / 2) return undefined;
    const share = Math.round((100 * this.#exactMs) / this.#totalMs);
    const rarer = 10 * this.every;
    return (
      `Exact evaluation takes ${share} % of this run's time. For less, train with exactEvery: ${rarer}, which evaluates every ` +
      `${rarer}th update, or with evalEvery, which plays episodes instead.`
    );
  }
}
