import { median } from "turnwise/internal/base/statistics";
import {
  alarmRates,
  calibrate,
  highestBefore,
  outranks,
  pairedMean,
  sameAge,
  strataOf,
  warnsAt,
  type PairedMean,
  type Stratum,
} from "turnwise/internal/monitor/index";
import type { AlarmRun } from "./stored";
import { withControls } from "./controls";
import {
  alarmSeeds,
  clockLadder,
  earlyWindow,
  randomLadder,
  warningWindow,
  watchedRules,
} from "./definitions";
import { countUpdates, type UpdateCount } from "./updates";

/** Every ladder that is judged, the controls' among them, by the name of its alarm. */
export const judgedLadders: Readonly<Record<string, readonly number[]>> = Object.freeze({
  ...Object.fromEntries(watchedRules.map(({ name, ladder }) => [name, ladder])),
  "at random": randomLadder,
  "the clock": clockLadder,
});

/** Performance of one threshold of an alarm in the confirming half. */
export interface AlarmPoint {
  readonly threshold: number;
  readonly sensitivity: number;
  readonly falseAlarms: number;
}

/** Performance of an alarm in the confirming half, by the definitions of `definitions.ts`. */
export interface AlarmLine {
  readonly rule: string;
  /** The threshold that the first half chose, and its place on the ladder. */
  readonly threshold: number;
  readonly rung: number;
  /** One for each threshold of the ladder. */
  readonly points: readonly AlarmPoint[];
  /** The area under the ROC curve. */
  readonly area: PairedMean;
  /** The same if a warning must come ten updates ahead; falls too soon after the warm-up for that count as ties. */
  readonly earlyArea: PairedMean;
  /** Its area minus that of success itself. */
  readonly beyondSuccess: PairedMean;
  /** Sensitivity minus false alarms at the chosen threshold. */
  readonly warned: PairedMean;
  /** Falls that it warns of, at the chosen threshold. */
  readonly foreseen: number;
  /** Updates between warning and onset, for the falls that it warns of. */
  readonly leads: readonly number[];
  readonly medianLead: number | null;
  /** Survivors in which it was never up in 500 updates. */
  readonly quietSurvivors: number;
  /** Its updates at risk, one count for each run. */
  readonly updates: readonly UpdateCount[];
}

/** Report on how well each alarm predicts a fall of trap A, judged on other runs than those on which its threshold was chosen. */
export interface AlarmReport {
  readonly lines: readonly AlarmLine[];
  readonly strata: readonly Stratum[];
  readonly falls: number;
  readonly survivors: number;
  /** Runs of the confirming half that never rose, or fell before an alarm could warn. */
  readonly leftOut: number;
  /** Runs of the first half that fell, and that survived. */
  readonly calibratedOn: readonly [falls: number, survivors: number];
  /** All updates at risk, one count for each run: the base rate. */
  readonly updates: readonly UpdateCount[];
}

/**
 * Chooses every alarm's threshold on the first half of the seeds and judges it on the other half.
 *
 * @throws {RangeError} unless in both halves some setting has runs that fall and runs that survive
 */
export function alarmReport(runs: readonly AlarmRun[]): AlarmReport {
  const halves = [runs.filter(isFirst), runs.filter((run) => !isFirst(run))];
  const [first, strata] = halves.map((half) => strataOf(half.map(withControls), warningWindow)) as [
    readonly Stratum[],
    readonly Stratum[],
  ];
  const rungs = calibrate(first, warningWindow, judgedLadders);
  if (strata.length === 0) {
    throw new RangeError(
      "Cannot judge alarms: a setting must have confirming runs that fall and runs that hold.",
    );
  }
  const [falls, survivors] = numbersOf(strata);
  return {
    lines: Object.keys(judgedLadders).map((rule) => lineOf(strata, rule, rungs[rule]!)),
    strata,
    falls,
    survivors,
    leftOut: halves[1]!.length - falls - survivors,
    calibratedOn: numbersOf(first),
    updates: countUpdates(strata, warningWindow),
  };
}

const isFirst = ({ seed }: AlarmRun): boolean => seed < alarmSeeds.confirmFrom;

function numbersOf(strata: readonly Stratum[]): readonly [falls: number, survivors: number] {
  const sum = (count: (s: Stratum) => number): number => strata.reduce((total, s) => total + count(s), 0);
  return [sum(({ falls }) => falls.length), sum(({ survivors }) => survivors.length)];
}

function lineOf(strata: readonly Stratum[], rule: string, rung: number): AlarmLine {
  const ladder = judgedLadders[rule]!;
  const leads = leadsOf(strata, rule, rung);
  const survivors = strata.flatMap((stratum) => stratum.survivors);
  return {
    rule,
    threshold: ladder[rung]!,
    rung,
    points: ladder.map((threshold, at) => ({
      threshold,
      ...alarmRates(strata, rule, at, warningWindow),
    })),
    area: pairedMean(outranking(strata, rule)),
    earlyArea: pairedMean(sameAge(strata, rule, earlyWindow, outranks)),
    beyondSuccess: pairedMean(less(outranking(strata, rule), outranking(strata, "success itself"))),
    warned: pairedMean(sameAge(strata, rule, warningWindow, warnsAt(rung))),
    foreseen: leads.length,
    leads,
    medianLead: leads.length === 0 ? null : median(leads),
    quietSurvivors: survivors.filter(
      (run) => highestBefore(run, rule, run.updates + 1, { ...warningWindow, horizon: run.updates }) <= rung,
    ).length,
    updates: countUpdates(strata, warningWindow, { name: rule, rung }),
  };
}

/** Updates between warning and onset, for the falls that a rule warns of. */
export const leadsOf = (strata: readonly Stratum[], rule: string, rung: number): readonly number[] =>
  strata.flatMap(({ falls }) => falls.flatMap((fall) => leadOf(fall, rule, rung) ?? []));

type Tables = ReturnType<typeof sameAge>;

const outranking = (strata: readonly Stratum[], rule: string): Tables =>
  sameAge(strata, rule, warningWindow, outranks);

/** The differences of two tables, pair by pair. */
function less(tables: Tables, others: Tables): Tables {
  return tables.map((rows, s) => rows.map((row, i) => row.map((x, j) => x - others[s]![i]![j]!)));
}

/** Updates from the first one in the window at which the rule is up to the onset; undefined if it is not up. */
function leadOf({ onset, levels }: Stratum["falls"][number], rule: string, rung: number): number | undefined {
  const { horizon, warmUp } = warningWindow;
  const from = Math.max(warmUp + 1, onset! - horizon);
  const at = levels[rule]!.findIndex((level, i) => i + 1 >= from && level > rung) + 1;
  return at === 0 ? undefined : onset! - at;
}
