import { alarmRules, SignalTracker, type AlarmRule, type MonitorRecord } from "../monitor";
import { isBeyond } from "../monitor/alarmRules";

/** An alarm that is up. */
export interface ActiveAlarm {
  readonly rule: string;
  /** The update at which it went up. */
  readonly since: number;
  readonly meaning: string;
}

/**
 * The alarms that one can leave on: unearned silence, and success itself. The others also go off in runs that hold, and most
 * of all at the optimum, where groups agree because they are right.
 *
 * Success counts as lost below 75% of its best, the share that `fallOf` takes.
 */
export const watched: readonly AlarmRule[] = [
  alarmRules.find(({ name }) => name === "unearned silence")!,
  {
    name: "success falls",
    signal: "successShare",
    direction: "below",
    threshold: 0.75,
    patience: 10,
    meaning: "success has been below three quarters of its best for ten updates",
  },
];

/** Success from which on a world counts as solved: alarms no longer matter there. */
const solved = 0.99;
/** Success that never rose cannot fall: of the highest single batch, as a lucky one says little. */
const rose = 0.6;

/** Says which alarms are up now; it forgets those that have gone down, and so never grows. */
export class Watch {
  readonly #tracker: SignalTracker;
  readonly #beyond = watched.map(() => 0);
  readonly #since = watched.map(() => 0);
  #highest = 0;
  #seen = 0;

  /** @param optimum the best reward, where it is known */
  constructor(private readonly optimum?: number) {
    this.#tracker = new SignalTracker({ optimum: optimum !== undefined && optimum > 0 ? optimum : 1 });
  }

  observe(record: MonitorRecord): void {
    const signals = this.#tracker.next(record);
    const { success } = signals;
    this.#highest = Math.max(this.#highest, success ?? 0);
    this.#seen++;
    // Without either, nobody knows whether silence was earned.
    const judged = record.metrics["success/mean"] !== undefined || (this.optimum ?? 0) > 0;
    watched.forEach((rule, i) => {
      if (signals[rule.signal] === undefined) return;
      const quiet =
        (rule.signal === "unearnedSilence" && !judged) ||
        this.#seen <= this.#tracker.warmUp ||
        (success !== undefined && success >= solved) ||
        (rule.signal === "successShare" && this.#highest <= rose);
      this.#beyond[i] = !quiet && isBeyond(rule, rule.threshold, signals) ? this.#beyond[i]! + 1 : 0;
      if (this.#beyond[i] === rule.patience) this.#since[i] = record.update;
    });
  }

  /** Those that are up, the latest first. */
  get active(): readonly ActiveAlarm[] {
    return watched
      .map(({ name, patience, meaning }, i) => ({
        rule: name,
        since: this.#since[i]!,
        meaning,
        up: this.#beyond[i]! >= patience,
      }))
      .filter(({ up }) => up)
      .map(({ up: _, ...alarm }) => alarm)
      .sort((a, b) => b.since - a.since);
  }
}
