import type { MonitorRecord } from "./signals";

/** A metric that was logged as NaN or infinite. */
export interface NotFinite {
  /** Its name in the log. */
  readonly name: string;
  readonly value: number;
  /** The first step of the latest stretch of such values. */
  readonly from: number;
  /** How many records have such a value, in all. */
  readonly count: number;
  /** Whether the latest record that logs the metric has such a value: it never came back. */
  readonly lasts: boolean;
}

/** Remembers which metrics were not finite, record by record. */
export class NotFiniteTracker {
  readonly #found = new Map<string, { value: number; from: number; count: number; lasts: boolean }>();

  /** Looks at one record, and returns the metrics that have just stopped being finite. */
  observe({ update, notFinite = {} }: MonitorRecord): readonly NotFinite[] {
    for (const [name, one] of this.#found) if (!(name in notFinite)) one.lasts = false;
    return Object.entries(notFinite).flatMap(([name, value]) => {
      const before = this.#found.get(name);
      const since = before?.lasts ? before.from : update;
      const now = { value, from: since, count: (before?.count ?? 0) + 1, lasts: true };
      this.#found.set(name, now);
      return before?.lasts ? [] : [{ name, ...now }];
    });
  }

  /** All metrics that were not finite at some record, in the order in which they first were. */
  get found(): readonly NotFinite[] {
    return [...this.#found].map(([name, one]) => ({ name, ...one }));
  }
}

/** A sentence on metrics of one record: "From step 100 on actor/grad_norm is NaN." */
export function notFiniteInWords(all: readonly NotFinite[]): string[] {
  const groups = new Map<string, NotFinite[]>();
  for (const one of all) {
    const key = `${one.from} ${one.lasts} ${one.value} ${one.count}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const [{ from, value, lasts, count }] = group as [NotFinite];
    const names = group.map(({ name }) => name).join(", ");
    const is = group.length === 1 ? "is" : "are";
    const was = group.length === 1 ? "was" : "were";
    const what = Number.isNaN(value) ? "NaN" : value > 0 ? "infinite" : "minus infinite";
    if (lasts) return `From step ${from} on ${names} ${is} ${what}`;
    return `${names} ${was} ${what} at ${count} ${count === 1 ? "step" : "steps"}, last from step ${from} on, and recovered`;
  });
}
