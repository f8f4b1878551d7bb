import { short } from "turnwise/internal/base/curve";
import type { Alarm } from "turnwise/internal/monitor/index";
import { worthInWords } from "../report/worth";

/** Alarms that are told once and counted afterwards, so that an alarm that goes off at every other step does not hide the rest. */
export class AlarmLog {
  readonly #all = new Map<string, Alarm[]>();

  /** The lines of an alarm that goes off for the first time; none of one that was told. */
  add(alarm: Alarm): string[] {
    const before = this.#all.get(alarm.rule);
    if (before) {
      before.push(alarm);
      return [];
    }
    this.#all.set(alarm.rule, [alarm]);
    const { rule, value, threshold, meaning } = alarm;
    return [
      `  ALARM ${rule} (${short(value)}, threshold ${threshold}): ${meaning}`,
      `        ${worthInWords({ name: rule, threshold })}`,
    ];
  }

  /** Takes back the alarms of a rule, and gives them. */
  withdraw(rule: string): readonly Alarm[] {
    const alarms = this.#all.get(rule) ?? [];
    this.#all.delete(rule);
    return alarms;
  }

  get count(): number {
    return [...this.#all.values()].flat().length;
  }

  /** A line for each alarm that went off more than once. */
  repeats(): string[] {
    return [...this.#all]
      .filter(([, alarms]) => alarms.length > 1)
      .map(([rule, alarms]) => {
        const [first, last] = [alarms[0]!.update, alarms.at(-1)!.update];
        return `  ${rule}: ${alarms.length} times, first at step ${first}, last at step ${last}`;
      });
  }
}
