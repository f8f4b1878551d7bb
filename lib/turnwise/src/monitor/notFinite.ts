import type { MonitorRecord } from "./signals";

/** A metric that was logged as NaN or infinite. */
export interface NotFinite {
  /** Its name in the log. */
  readonly name: string;
  readonly value: number;
  /** The first step of the latest stretch of such values. */
  readonly from: number;
  /** The first step with such a value. */
  readonly first: number;
  /** Total number of records that have such a value. */
  readonly count: number;
  /** Number of records that log the metric, from the first such value on. */
  readonly of: number;
  /** Whether the latest record that logs the metric has such a value: it never came back. */
  readonly lasts: boolean;
  /** Whether it was so three times or more, and has been finite no longer since than in between. */
  readonly recurs: boolean;
}

/** From so many stretches on, a metric that is finite at last may well be NaN again. */
const OFTEN = 3;

/** Values remembered of one metric. */
interface Found {
  value: number;
  from: number;
  readonly first: number;
  count: number;
  of: number;
  stretches: number;
  /** For how many records that log it, it has been finite, and for how many it once was between two stretches. */
  calm: number;
  longestCalm: number;
}

/** Remembers which metrics were not finite, record by record. Only a finite value of the same metric ends a stretch. */
export class NotFiniteTracker {
  readonly #found = new Map<string, Found>();

  /** Looks at one record, and returns the metrics that it has as NaN or infinite and that none had before. */
  observe({ update, metrics, notFinite = {}, finiteAgain = [] }: MonitorRecord): readonly NotFinite[] {
    for (const [name, one] of this.#found) {
      const isFinite =
        finiteAgain.includes(name) || Number.isFinite((metrics as Readonly<Record<string, unknown>>)[name]);
      if (name in notFinite || !isFinite) continue;
      one.of += 1;
      one.calm += 1;
    }
    return Object.entries(notFinite).flatMap(([name, value]) => {
      const one = this.#found.get(name);
      if (one === undefined) {
        const begun = {
          value,
          from: update,
          first: update,
          count: 1,
          of: 1,
          stretches: 1,
          calm: 0,
          longestCalm: 0,
        };
        this.#found.set(name, begun);
        return [told(name, begun)];
      }
      if (one.calm > 0) {
        one.from = update;
        one.stretches += 1;
      }
      one.longestCalm = Math.max(one.longestCalm, one.calm);
      one.calm = 0;
      one.value = value;
      one.count += 1;
      one.of += 1;
      return [];
    });
  }

  /** All metrics that were not finite at some record, in the order in which they first were. */
  get found(): readonly NotFinite[] {
    return [...this.#found].map(([name, one]) => told(name, one));
  }
}

const told = (
  name: string,
  { value, from, first, count, of, stretches, calm, longestCalm }: Found,
): NotFinite => ({
  name,
  value,
  from,
  first,
  count,
  of,
  lasts: calm === 0,
  recurs: stretches >= OFTEN && calm <= longestCalm,
});

/** A sentence on metrics of one record: "From step 100 on actor/grad_norm is NaN." */
export function notFiniteInWords(all: readonly NotFinite[]): string[] {
  const groups = new Map<string, NotFinite[]>();
  for (const one of all) {
    const { name: _, ...rest } = one;
    const key = Object.values(rest).join(" ");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const [{ from, first, value, lasts, recurs, count, of }] = group as [NotFinite];
    const names = group.map(({ name }) => name).join(", ");
    const is = group.length === 1 ? "is" : "are";
    const was = group.length === 1 ? "was" : "were";
    const what = Number.isNaN(value) ? "NaN" : value > 0 ? "infinite" : "minus infinite";
    if (recurs)
      return `${names} ${is} ${what} again and again: at ${count} of ${of} steps from step ${first} on`;
    if (lasts) return `From step ${from} on ${names} ${is} ${what}`;
    return `${names} ${was} ${what} at ${count} ${count === 1 ? "step" : "steps"}, last from step ${from} on, and recovered`;
  });
}
