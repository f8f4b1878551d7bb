import type { MetricName } from "../base/glossary";
import { mean } from "../base/statistics";

/** Distance of an update from the calmest part of its run; undefined if the record lacks the metric. */
export interface Drift {
  /** Nats of token entropy above the lowest mean of 10 so far. */
  readonly entropyRise: number | undefined;
  /** Share of cut-off responses above the lowest mean of 10 so far. */
  readonly truncationRise: number | undefined;
  /** Mean length of the latest 10 over that of the 10 that ended 40 updates earlier. */
  readonly lengthGrowth: number | undefined;
  /** Mean number of tool calls of the latest 10, divided by its highest so far. */
  readonly toolShare: number | undefined;
  /** Nats per token from the reference policy. */
  readonly klReference: number | undefined;
  /** Mean distance of log-probs between rollout engine and trainer, nats. */
  readonly logProbGap: number | undefined;
  /** Mean distance of probabilities between rollout engine and trainer. */
  readonly probGap: number | undefined;
}

const WINDOW = 10;
/** Number of updates back with which a length is compared. */
const BACK = 40;

/** Turns records into drifts, one after the other. */
export class DriftTracker {
  readonly #entropy = new Course();
  readonly #truncated = new Course();
  readonly #tools = new Course();
  readonly #lengths: number[] = [];

  next(read: (name: MetricName) => number | undefined): Drift {
    const entropy = read("policy/entropy");
    const truncated = read("tokens/fracTruncated");
    return {
      entropyRise: above(entropy, this.#entropy.add(entropy).lowest),
      truncationRise: above(truncated, this.#truncated.add(truncated).lowest),
      lengthGrowth: this.#growth(read("tokens/mean")),
      toolShare: this.#tools.add(read("tools/calls")).shareOfHighest,
      klReference: read("policy/klReference"),
      logProbGap: read("mismatch/logProbGap"),
      probGap: read("mismatch/probGap"),
    };
  }

  #growth(length: number | undefined): number | undefined {
    if (length === undefined) return undefined;
    this.#lengths.push(length);
    if (this.#lengths.length > WINDOW + BACK) this.#lengths.shift();
    if (this.#lengths.length < WINDOW + BACK) return 1;
    const before = mean(this.#lengths.slice(0, WINDOW));
    return before > 0 ? mean(this.#lengths.slice(-WINDOW)) / before : 1;
  }
}

/** The means of 10 values of a metric. */
class Course {
  readonly #latest: number[] = [];
  #highest = -Infinity;
  #last: number | undefined;
  lowest: number | undefined;

  add(value: number | undefined): this {
    if (value === undefined) {
      this.#last = undefined;
      return this;
    }
    this.#latest.push(value);
    if (this.#latest.length > WINDOW) this.#latest.shift();
    if (this.#latest.length === WINDOW) {
      this.#last = mean(this.#latest);
      this.#highest = Math.max(this.#highest, this.#last);
      this.lowest = Math.min(this.lowest ?? Infinity, this.#last);
    }
    return this;
  }

  /** 1 as long as nothing is known. */
  get shareOfHighest(): number | undefined {
    if (this.#last === undefined) return this.#latest.length === 0 ? undefined : 1;
    return this.#highest > 0 ? this.#last / this.#highest : 1;
  }
}

const above = (value: number | undefined, lowest: number | undefined): number | undefined =>
  value === undefined ? undefined : lowest === undefined ? 0 : value - lowest;
