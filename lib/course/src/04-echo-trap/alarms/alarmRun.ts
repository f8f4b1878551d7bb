import type { Metrics } from "turnwise/internal/base/glossary";
import { watchRun } from "turnwise/internal/monitor/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import type { RunOptions } from "turnwise/internal/sweep/options";
import { sweep, type SweepRun } from "turnwise/internal/sweep/sweep";
import { echoTrapRun } from "../echoTrapRun";
import type { AlarmRun } from "../../shared/alarms/stored";
import { traps } from "../../shared/echoTrap/traps";
import { alarmSeeds, alarmSettings, watchedRules } from "../../shared/alarms/definitions";

/** Trains trap A in a setting and records the level of every alarm at every update; `onUpdate` sees each update. */
export async function alarmRun(
  { setting, seed }: Pick<AlarmRun, "setting" | "seed">,
  onUpdate?: (update: number) => void,
): Promise<AlarmRun> {
  const records: { update: number; metrics: Metrics }[] = [];
  const job = { trap: "reuse", lever: "vanilla", seed, change: alarmSettings[setting] } as const;
  await echoTrapRun(job, (metrics, update) => {
    records.push({ update, metrics });
    onUpdate?.(update);
  });
  return { setting, seed, ...watchRun(records, watchedRules) };
}

/**
 * `alarmRun` as a job of a sweep.
 *
 * @public
 */
export function alarmJob(
  { setting, seed }: Pick<AlarmRun, "setting" | "seed">,
  { report }: JobContext,
): Promise<AlarmRun> {
  return alarmRun({ setting, seed }, (update) => {
    if (update % 20 === 0) report(update / traps.reuse.updates);
  });
}

/** Runs every setting of the alarms with all its seeds over worker threads; with `file`, goes on where it was interrupted. */
export function alarmSweep(options: RunOptions = {}): SweepRun<AlarmRun> {
  const { from, to } = alarmSeeds;
  return sweep({
    task: { module: "turnwise-course/jobs", export: "alarmJob" },
    grid: { setting: Object.keys(alarmSettings) },
    seeds: Array.from({ length: to - from }, (_, i) => from + i),
    ...options,
  });
}
