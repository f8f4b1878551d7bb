import { calibrate, scoreAlarm, thresholdLadders, type AlarmName, type AlarmScore } from "../../monitor";
import type { StoredRun, StoredWatch } from "./stored";

/** How an alarm does on runs other than those on which its threshold was chosen. */
export interface AlarmLine extends AlarmScore {
  /** Runs of trap A that held although it went off: there it recognises the setting, not the doomed run. */
  readonly raisedBySurvivors: number;
}

/** How well each alarm foretells a collapse. */
export interface AlarmReport {
  readonly lines: readonly AlarmLine[];
  /** Number of runs on which thresholds were chosen. */
  readonly calibratedOn: number;
  readonly scoredOn: number;
  /** Scored runs of trap A that held. */
  readonly survivors: number;
  /** Runs that never rose; they neither fell nor held, and are left out. */
  readonly neverRose: number;
}

const HELD = 0.9;
const FIRST_OF_CALIBRATION = 20;

/**
 * Chooses the threshold of every alarm on the seeds from 20 on, and scores it on the seeds before.
 *
 * A run counts if it fell, or if it held: that is, if it ended at a success of at least .9.
 *
 * @throws {RangeError} unless at least one of the runs to calibrate on falls and one holds
 */
export function alarmReport(runs: readonly StoredRun[], watches: readonly StoredWatch[]): AlarmReport {
  const ends = new Map(
    runs
      .filter(({ change }) => change === "" || change === `from=${FIRST_OF_CALIBRATION}`)
      .map((run) => [keyOf(run), run.final]),
  );
  const decided = watches.filter((watch) => watch.run.fall !== null || (ends.get(keyOf(watch)) ?? 0) >= HELD);
  const chosen = decided.filter(({ seed }) => seed >= FIRST_OF_CALIBRATION).map(({ run }) => run);
  const scored = decided.filter(({ seed }) => seed < FIRST_OF_CALIBRATION);
  const rungs = calibrate(chosen);
  const survivors = scored
    .filter(({ trap, lever, run }) => trap === "reuse" && lever === "vanilla" && run.fall === null)
    .map(({ run }) => run);
  const lines = (Object.keys(thresholdLadders) as AlarmName[]).map((rule) => ({
    ...scoreAlarm(
      scored.map(({ run }) => run),
      rule,
      rungs[rule],
    ),
    raisedBySurvivors: survivors.filter(
      ({ times }) => times.find((time) => time.rule === rule)?.at[rungs[rule]] != null,
    ).length,
  }));
  return {
    lines,
    calibratedOn: chosen.length,
    scoredOn: scored.length,
    survivors: survivors.length,
    neverRose: watches.length - decided.length,
  };
}

function keyOf({ trap, lever, seed }: Pick<StoredWatch, "trap" | "lever" | "seed">): string {
  return [trap, lever, seed].join("|");
}
