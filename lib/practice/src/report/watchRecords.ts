import { EchoTrapMonitor, type MonitorOptions, type MonitorRecord } from "turnwise/internal/monitor/index";
import { judgeSuccess, type SuccessVerdict } from "turnwise/internal/monitor/judgeSuccess";
import { movementsOf } from "turnwise/internal/monitor/movements";
import { NotFiniteTracker } from "turnwise/internal/monitor/notFinite";
import type { Watched } from "turnwise/internal/monitor/echoTrapMonitor";
import type { Dip, LogVerdict } from "./logFacts";
import { logRules } from "./logRules";

/** The monitor of a log, with its alarms; gradients of 0, which half of the steps of a small batch have, are no yardstick. */
export const logMonitor = (options: MonitorOptions = {}): EchoTrapMonitor =>
  new EchoTrapMonitor({ rules: logRules, skipZeroGradients: true, ...options });

/** Verdict of the monitor on the records of one run. */
export function watchRecords(records: readonly MonitorRecord[], options: MonitorOptions = {}): LogVerdict {
  const monitor = logMonitor(options);
  const tracker = new NotFiniteTracker();
  const observed = records.map((record) => {
    tracker.observe(record);
    return monitor.observe(record);
  });
  const { isShare } = monitor;
  // The rewards before the first that is no share were none either.
  const watched = isShare ? observed : observed.map(withoutShares);
  const success = judgeSuccess(watched.map(({ signals }) => signals.success));
  const dip = dipOf(records, success);
  const fell = success.kind === "fell";
  return {
    alarms: watched.flatMap(({ alarms }) => alarms),
    blind: monitor.blind,
    success,
    fall: fell ? dip!.update : null,
    dip,
    notFinite: tracker.found,
    movements: fell ? movementsOf(records, success.drop.onset) : [],
    isShare,
    watched,
  };
}

/** The alarm that needs shares of the optimum. */
export const SILENCE = "unearned silence";

/** Record without the signals that need rewards as shares of the optimum. */
export function withoutShares({ signals, alarms, ...rest }: Watched): Watched {
  const of = new Map(logRules.map(({ name, signal }) => [name, signal]));
  return {
    ...rest,
    signals: { ...signals, unearnedSilence: undefined },
    alarms: alarms.filter(({ rule }) => of.get(rule) !== "unearnedSilence"),
  };
}

/** A drop by the steps of its records. */
export function dipOf(records: readonly MonitorRecord[], { drop }: SuccessVerdict): Dip | null {
  if (drop === undefined) return null;
  const { chance, lasting, best, lowest, last, recovered } = drop;
  return {
    update: records[drop.at]!.update,
    onset: records[drop.onset]!.update,
    recovered: recovered === undefined ? null : records[recovered]!.update,
    chance,
    lasting,
    best,
    lowest,
    last,
  };
}
