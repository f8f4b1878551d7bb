import type { Metrics } from "turnwise/internal/base/glossary";
import { mean } from "turnwise/internal/base/statistics";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { recipe, recipeNeeds, type RecipeOverrides } from "turnwise/internal/rule/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { NonFiniteError, train, type TrainOptions } from "turnwise/internal/train/index";
import { eventsOf, type SignalEvent } from "../report/events";
import { courseOf, type CoursePoint } from "./curves";
import { noiseOf } from "./mismatch";
import { TRAJECTORIES } from "./mapping";
import type { TwinSetting } from "./setting";
import { twinWorlds, type TwinWorldName } from "./worlds";

/** A setting in a world, to be trained from several seeds. */
export interface TwinCell {
  /** Names it among the cells of a twin. */
  readonly id: string;
  readonly world: TwinWorldName;
  readonly setting: TwinSetting;
  readonly updates: number;
  /** Added to every seed. */
  readonly firstSeed: number;
  /** Whether to look for what moved, which takes a while. */
  readonly events: boolean;
}

/** The course of one run. */
export interface TwinRun {
  readonly id: string;
  readonly seed: number;
  /** Mean success of the last 20 updates. */
  readonly end: number;
  /** The highest mean success of 10 updates. */
  readonly best: number;
  /** Whether it ended below three quarters of what the healthy settings reach. */
  readonly lost: boolean;
  /** The update (from 1) from which success was below three quarters of its best; null unless the run is lost and ended there. */
  readonly fell: number | null;
  /** The update at which a number was no longer finite. */
  readonly stopped: number | null;
  readonly events: readonly SignalEvent[];
  /** Its success, in stretches of updates. */
  readonly course: readonly CoursePoint[];
}

const WINDOW = 10;
const LAST = 20;
const FELL = 0.75;

/** The options of a run. */
export function twinOptions(
  { world, setting, updates }: Omit<TwinCell, "id" | "firstSeed" | "events">,
  seed: number,
): TrainOptions {
  const { learningRate, uncertainty, start } = twinWorlds[world];
  const { rule, groupSize, temperature, topP, staleness, logProbGap } = setting;
  return {
    ...start({ seed, temperature, valueHead: recipeNeeds(rule).value }),
    recipe: recipe("grpo", {
      ...(({ name: _name, ...cells }): RecipeOverrides => cells as RecipeOverrides)(rule),
      update: {
        epochs: rule.update.epochs,
        minibatches: rule.update.minibatches,
        // A temperature that trainer and engine share scales logits: Adam's steps are as much smaller.
        optimizer: { kind: "adam", learningRate: learningRate / temperature },
      },
    }),
    updates,
    seed,
    groups: Math.max(1, Math.round(TRAJECTORIES / groupSize)),
    groupSize,
    topP,
    staleness,
    logProbNoise: noiseOf(logProbGap, uncertainty),
  };
}

/**
 * Trains one run of a twin.
 *
 * @public
 */
export async function twinJob(
  { cell, seed }: { readonly cell: TwinCell; readonly seed: number },
  { report }: JobContext,
): Promise<TwinRun> {
  const records: MonitorRecord[] = [];
  let stopped: number | null = null;
  try {
    for await (const { update, metrics } of train(twinOptions(cell, cell.firstSeed + seed))) {
      records.push({ update, metrics: withClips(metrics) });
      if (update % 20 === 0) report(update / cell.updates);
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
    stopped = records.length + 1;
  }
  const success = records.map(({ metrics }) => metrics["success/mean"] ?? 0);
  const windows = success.flatMap((_, i) =>
    i + 1 < WINDOW ? [] : [mean(success.slice(i + 1 - WINDOW, i + 1))],
  );
  const best = Math.max(0, ...windows);
  const end = stopped === null && success.length > 0 ? mean(success.slice(-LAST)) : 0;
  const { reached } = twinWorlds[cell.world];
  const lost = end < FELL * reached;
  return {
    id: cell.id,
    seed: cell.firstSeed + seed,
    end,
    best,
    lost,
    fell: lost && end < FELL * best ? fellAt(success, windows, best) : null,
    stopped,
    events: cell.events ? eventsOf(records) : [],
    course: courseOf(success),
  };
}

/** The first update that is low itself among the ten whose mean, after the best one, is below three quarters of it. */
function fellAt(success: readonly number[], windows: readonly number[], best: number): number | null {
  const from = windows.indexOf(best);
  const low = windows.findIndex((value, i) => i > from && value < FELL * best);
  if (low < 0) return null;
  return success.findIndex((value, i) => i >= low && value < FELL * best) + 1;
}

/** The trainer keeps both sides of a clip apart, and logs of others mostly hold their sum. */
function withClips(metrics: Metrics): Metrics {
  const [low, high] = [metrics["policy/clipFracLow"], metrics["policy/clipFracHigh"]];
  return low === undefined || high === undefined ? metrics : { ...metrics, "policy/clipFrac": low + high };
}
