import { expectKnown } from "../base/expect";
import { displaySymbol, type MimeBundle } from "../base/display";
import { alarmRules, isBeyond, type AlarmRule } from "./alarmRules";
import { SignalTracker, type MonitorRecord, type SignalOptions, type Signals } from "./signals";

/** An alarm that went off. */
export interface Alarm {
  readonly rule: string;
  readonly update: number;
  readonly value: number;
  readonly threshold: number;
  readonly meaning: string;
}

/** Result of the monitor for one record. */
export interface Watched<R extends MonitorRecord = MonitorRecord> {
  readonly record: R;
  readonly signals: Signals;
  /** Alarms that went off at this record; a rule goes off again only after its signal has recovered. */
  readonly alarms: readonly Alarm[];
}

export interface MonitorOptions extends SignalOptions {
  /** Default: `alarmRules`. */
  readonly rules?: readonly AlarmRule[];
}

/**
 * Watches a training run for an echo trap, record by record.
 *
 * The signals and their units are those of `Signals`. A rule goes off once its signal has been beyond the threshold for
 * `patience` records in a row, not counting the first `warmUp` records. A metric that is missing or not finite neither starts
 * nor ends an alarm. Notebook 04 measures which rules foretell a fall: of nine, unearned silence does at a threshold that stays
 * quiet in runs that hold, gradient spikes only right before, and a std cliff not at all.
 *
 * @see RAGEN, arXiv 2504.20073, Finding 2: in-group std and entropy warn, the gradient norm confirms
 */
export class EchoTrapMonitor {
  readonly rules: readonly AlarmRule[];
  readonly #tracker: SignalTracker;
  readonly #beyond: number[];
  readonly #seen: boolean[];
  readonly #alarms: Alarm[] = [];
  #updates = 0;

  constructor(options: MonitorOptions = {}) {
    expectKnown("monitor", options, ["rules", "window", "warmUp", "optimum", "skipZeroGradients"]);
    const { rules = alarmRules, ...signals } = options;
    const names = rules.map((rule) => rule.name);
    if (new Set(names).size !== names.length) {
      throw new RangeError(`Cannot monitor: the rules must have different names, got ${names.join(", ")}.`);
    }
    for (const { name, patience, threshold } of rules) {
      if (Number.isInteger(patience) && patience >= 1 && !Number.isNaN(threshold)) continue;
      throw new RangeError(
        `Cannot monitor: rule "${name}" must have a threshold and a whole patience >= 1, ` +
          `got ${threshold} and ${patience}.`,
      );
    }
    this.rules = rules;
    this.#tracker = new SignalTracker(signals);
    this.#beyond = rules.map(() => 0);
    this.#seen = rules.map(() => false);
  }

  /** Whether every success so far was a share of the optimum; the alarms that need one are silent from the first other on. */
  get isShare(): boolean {
    return this.#tracker.isShare;
  }

  /** Every alarm so far, oldest first. */
  get alarms(): readonly Alarm[] {
    return this.#alarms;
  }

  /** Rules that cannot warn because no record has had their signal so far. */
  get blind(): readonly string[] {
    return this.rules.filter((_, i) => !this.#seen[i]).map((rule) => rule.name);
  }

  /** Looks at one record and returns the alarms that it raises. */
  observe<R extends MonitorRecord>(record: R): Watched<R> {
    const signals = this.#tracker.next(record);
    this.#updates += 1;
    const raised = this.rules.flatMap((rule, i): Alarm[] => {
      const value = signals[rule.signal];
      if (value === undefined) return [];
      this.#seen[i] = true;
      const counts = this.#updates > this.#tracker.warmUp && isBeyond(rule, rule.threshold, signals);
      this.#beyond[i] = counts ? this.#beyond[i]! + 1 : 0;
      if (this.#beyond[i] !== rule.patience) return [];
      const { name, threshold, meaning } = rule;
      return [{ rule: name, update: record.update, value, threshold, meaning }];
    });
    this.#alarms.push(...raised);
    return { record, signals, alarms: raised };
  }

  /** The same as text. */
  toString(): string {
    const lines = this.#alarms.map(
      ({ rule, update, value, threshold, meaning }) =>
        `update ${update}: ${rule} (${value.toPrecision(3)}, threshold ${threshold}): ${meaning}`,
    );
    const blind =
      this.blind.length === 0 ? [] : [`not monitored (metrics missing): ${this.blind.join(", ")}`];
    return [`${this.#alarms.length} alarms in ${this.#updates} updates`, ...lines, ...blind].join("\n");
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { "text/plain": this.toString() };
  }
}

/**
 * Watches any stream of records and passes each on with its signals and alarms.
 *
 * It works on a run in progress, on records read from a file, and on other people's logs: `recordsFromJsonl` and
 * `recordsFromCsv` read those of other frameworks.
 *
 * @example
 * import { monitor, train } from "turnwise";
 * const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 30, seed: 1 });
 * for await (const { alarms } of monitor(run)) {
 *   for (const { update, rule } of alarms) console.log(update, rule);
 * }
 */
export async function* monitor<R extends MonitorRecord>(
  records: AsyncIterable<R> | Iterable<R>,
  watch: MonitorOptions | EchoTrapMonitor = {},
): AsyncGenerator<Watched<R>, void, undefined> {
  const watcher = watch instanceof EchoTrapMonitor ? watch : new EchoTrapMonitor(watch);
  for await (const record of records) yield watcher.observe(record);
}
