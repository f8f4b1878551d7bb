import { thresholdLadders, type AlarmName } from "./alarmRules";
import { highestBefore, type Stratum, type WarningWindow } from "./sameAge";

/** Share of runs in which a rule is up in the window before a fall, and at the same age in survivors. */
export interface AlarmRates {
  /** Share of falls with the rule up before their onset. */
  readonly sensitivity: number;
  /** The mean over falls of the share of survivors, of the same setting, with the rule up in the same window. */
  readonly falseAlarms: number;
}

/** The rates of a rule with the threshold of a rung. */
export function alarmRates(
  strata: readonly Stratum[],
  rule: string,
  rung: number,
  window: WarningWindow,
): AlarmRates {
  let falls = 0;
  let warned = 0;
  let falseAlarms = 0;
  for (const stratum of strata) {
    for (const fall of stratum.falls) {
      const isUp = (run: (typeof stratum.survivors)[number]): boolean =>
        highestBefore(run, rule, fall.onset!, window) > rung;
      falls += 1;
      warned += Number(isUp(fall));
      falseAlarms += stratum.survivors.filter(isUp).length / stratum.survivors.length;
    }
  }
  return { sensitivity: warned / falls, falseAlarms: falseAlarms / falls };
}

/**
 * For each rule, the rung of its ladder that warns of most falls with false alarms of at most `falseAlarms`; if no rung is
 * that quiet, the quietest one. Ties go to the less sensitive rung.
 *
 * Judge the result on other runs than those it was calibrated on.
 *
 * @throws {RangeError} unless some setting has runs that fall and runs that hold
 */
export function calibrate<Name extends string = AlarmName>(
  strata: readonly Stratum[],
  { falseAlarms: most = 0.1, ...window }: WarningWindow & { readonly falseAlarms?: number },
  ladders: Readonly<Record<Name, readonly number[]>> = thresholdLadders as never,
): Readonly<Record<Name, number>> {
  if (strata.length === 0) {
    throw new RangeError("Cannot calibrate alarms: a setting must have runs that fall and runs that hold.");
  }
  const rungs = Object.entries<readonly number[]>(ladders).map(([rule, ladder]) => {
    const rates = ladder.map((_, rung) => alarmRates(strata, rule, rung, window));
    const lowest = Math.min(...rates.map(({ falseAlarms }) => falseAlarms));
    const allowed = rates.filter(({ falseAlarms }) => falseAlarms <= Math.max(most, lowest) + 1e-9);
    const best = Math.max(...allowed.map(({ sensitivity }) => sensitivity));
    return [rule, rates.indexOf(allowed.findLast(({ sensitivity }) => sensitivity === best)!)] as const;
  });
  return Object.fromEntries(rungs) as Record<Name, number>;
}
