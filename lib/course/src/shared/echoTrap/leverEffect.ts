import { difference } from "turnwise/internal/base/difference";
import { bootstrapInterval, type Interval } from "turnwise/internal/base/interval";
import { gain, shareGain, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { inBothHalves } from "../inBothHalves";
import type { LeverName } from "./levers";
import type { StoredRun } from "./stored";
import type { TrapName } from "./traps";

/** Effect of a lever in a trap. */
export interface LeverEffect {
  readonly trap: TrapName;
  readonly lever: LeverName;
  /** Final success. */
  readonly final: Interval;
  /** Final success minus that of the vanilla row: Welch's t interval at 95%. */
  readonly gain: Interval;
  readonly collapsed: number;
  /** Runs that end below .5. */
  readonly low: number;
  /** Runs that stopped on a loss that is not finite. They end as good as their last good policy. */
  readonly stopped: number;
}

/** The effect of a lever in the setting of a trap, or of a changed trap; undefined where it was not measured. */
export function leverEffect(
  runs: readonly StoredRun[],
  trap: TrapName,
  lever: LeverName,
  change = "",
): LeverEffect | undefined {
  const own = cellOf(runs, trap, lever, change);
  const vanilla = cellOf(runs, trap, "vanilla", change);
  if (own.length === 0 || vanilla.length === 0) return undefined;
  const finals = own.map((run) => run.final);
  return {
    trap,
    lever,
    final: bootstrapInterval(finals),
    gain: difference(
      finals,
      vanilla.map((run) => run.final),
    ),
    collapsed: own.filter((run) => run.collapsed).length,
    low: own.filter((run) => run.final < 0.5).length,
    stopped: own.filter(({ stoppedAt }) => stoppedAt !== null).length,
  };
}

/**
 * Final success of a lever over that of another, by default the vanilla row, which both halves of the seeds have to show;
 * undefined where one of the two was not measured.
 */
export function leverGain(
  runs: readonly StoredRun[],
  trap: TrapName,
  lever: LeverName,
  change = "",
  over: LeverName = "vanilla",
): Effect | undefined {
  const [own, other] = [lever, over].map((name) =>
    valuesOf(cellOf(runs, trap, name, change), ({ final }) => final),
  ) as [SeedValue[], SeedValue[]];
  return own.length === 0 || other.length === 0 ? undefined : inBothHalves(own, other, gain);
}

/** Likewise of the share of runs that end with a success of at least .5: whether training holds, and not how well. */
export function aliveGain(
  runs: readonly StoredRun[],
  trap: TrapName,
  lever: LeverName,
  over: LeverName,
): Effect | undefined {
  const [own, other] = [lever, over].map((name) =>
    valuesOf(cellOf(runs, trap, name), ({ final }) => (final >= 0.5 ? 1 : 0)),
  ) as [SeedValue[], SeedValue[]];
  return own.length === 0 || other.length === 0
    ? undefined
    : inBothHalves(own, other, (a, b) => shareGain(onesOf(a), onesOf(b)));
}

/** Number of ones in a list of 0 and 1. */
export function onesOf(values: readonly number[]): { readonly count: number; readonly of: number } {
  return { count: values.filter((x) => x === 1).length, of: values.length };
}

/** Results of runs, by their seeds. */
export function valuesOf<R extends { readonly seed: number }>(
  runs: readonly R[],
  value: (run: R) => number,
): SeedValue[] {
  return runs.map((run) => ({ seed: run.seed, value: value(run) }));
}

/** The runs of a lever in the setting of a trap, or of a changed trap. */
export function cellOf(
  runs: readonly StoredRun[],
  trap: TrapName,
  lever: LeverName,
  change = "",
): readonly StoredRun[] {
  return runs.filter((run) => run.trap === trap && run.lever === lever && run.change === change);
}
