import { calibrate, scoreAlarm, thresholdLadders, type AlarmName, type AlarmScore } from "../../monitor";
import type { StoredRun, StoredWatch } from "./stored";

/** An alarm on runs that its threshold was not chosen on. */
export interface AlarmLine extends AlarmScore {
  /** Runs of trap A that held, and in which it went off all the same: it tells the setting and not the run. */
  readonly raisedBySurvivors: number;
}

/** How well each alarm foretells a collapse. */
export interface AlarmReport {
  readonly lines: readonly AlarmLine[];
  /** Runs that thresholds were chosen on. */
  readonly calibratedOn: number;
  readonly scoredOn: number;
  /** Runs of trap A that held, of those scored. */
  readonly survivors: number;
  /** Runs that never rose have neither fallen nor held, and are left out. */
  readonly neverRose: number;
}

const HELD = 0.9;
const FIRST_OF_CALIBRATION = 20;

/**
 * Chooses the threshold of every alarm on seeds from 20 on and scores it on the seeds before.
 *
 * A run counts when it fell, or held: it ended at a success of at least .9.
 *
 * @throws RangeError as `calibrate`
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
