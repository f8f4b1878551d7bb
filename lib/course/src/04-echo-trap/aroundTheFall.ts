import { mean } from "turnwise/internal/base/statistics";
import { courseOf } from "turnwise/internal/monitor/fall";
import type { AroundTheFall } from "../shared/echoTrap/runSummary";

/** Updates before the onset of a fall in which a burst or a spike counts as coming right before it. */
export const BEFORE = 10;
const WINDOW = 10;
const SILENT = 20;
const ROSE = 0.6;

/** The metrics of a run that are read, one value an update. */
export interface FallSignals {
  readonly success: readonly number[];
  readonly gradient: readonly number[];
  /** Nats per token between the policy after an update's steps and the one that sampled its batch. */
  readonly kl: readonly number[];
  readonly entropyCliff: number | null;
}

/**
 * Looks back from the fall of a run, and from stretches of the same run after which it did not fall: without these, "a burst
 * came before the fall" says nothing, as it may come before anything.
 *
 * The success of an update is measured before its steps, so an event of the onset's own update comes after the drop.
 */
export function aroundTheFall({ success, gradient, kl, entropyCliff }: FallSignals): AroundTheFall {
  const { fall, onset } = courseOf(success);
  const until = onset ?? success.length + 1;
  const cliff = entropyCliff ?? Infinity;
  const isBurst = (update: number): boolean => update > cliff && kl[update - 1]! > 0.5;
  const isSpike = (update: number): boolean => update > cliff && spikes(gradient, update);
  const burst = lastBefore(until, isBurst);
  const controls = controlWindows(success, cliff, until);
  const withOne = (is: (update: number) => boolean): number =>
    controls.filter((from) => Array.from({ length: WINDOW }, (_, i) => from + i).some(is)).length;
  return {
    fall,
    onset,
    burst,
    spike: lastBefore(until, isSpike),
    silence:
      burst === null
        ? null
        : gradient.slice(Math.max(0, burst - 1 - SILENT), burst - 1).filter((x) => x < 1e-6).length,
    windows: controls.length,
    burstWindows: withOne(isBurst),
    spikeWindows: withOne(isSpike),
  };
}

function spikes(gradient: readonly number[], update: number): boolean {
  if (update <= SILENT) return false;
  return gradient[update - 1]! > 3 * mean(gradient.slice(update - 1 - SILENT, update - 1));
}

function lastBefore(until: number, is: (update: number) => boolean): number | null {
  for (let update = until - 1; update >= 1; update--) if (is(update)) return update;
  return null;
}

/** The first updates of the control windows. */
function controlWindows(success: readonly number[], cliff: number, until: number): number[] {
  const rose = success.findIndex(
    (_, i) => i + 1 >= WINDOW && mean(success.slice(i + 1 - WINDOW, i + 1)) > ROSE,
  );
  if (rose < 0 || !Number.isFinite(cliff)) return [];
  // An event of the last update before the onset is one of the ten before it, so a window ends before these ten.
  const from = Math.max(rose + 1, cliff + 1);
  const last = until - BEFORE - WINDOW;
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => from + i);
}
