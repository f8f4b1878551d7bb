import { difference } from "../../base/difference";
import { bootstrapInterval, type Interval } from "../../base/interval";
import type { LeverName } from "./levers";
import type { StoredRun } from "./stored";
import type { TrapName } from "./traps";

/** What a lever did in a trap. */
export interface LeverEffect {
  readonly trap: TrapName;
  readonly lever: LeverName;
  /** Final success. */
  readonly final: Interval;
  /** Final success minus that of the vanilla row, over the same seeds. */
  readonly gain: Interval;
  readonly collapsed: number;
  /** Runs that end below .5. */
  readonly low: number;
  /** Runs that stopped on a loss that is not finite; their last success before that is not a final one. */
  readonly stopped: number;
  /**
   * stops: some run did not reach its end; mends: the gain's interval lies above 0 and the mean is at least .9; helps: the
   * interval lies above 0; hurts: it lies below 0; no effect shown: it contains 0.
   */
  readonly verdict: "mends" | "helps" | "no effect shown" | "hurts" | "stops";
}

/**
 * The effect of a lever in the setting of a trap, or of a changed trap; undefined where it was not measured.
 *
 * Intervals are 95 % bootstrap intervals over seeds.
 */
export function leverEffect(
  runs: readonly StoredRun[],
  trap: TrapName,
  lever: LeverName,
  change = "",
): LeverEffect | undefined {
  const of = (name: LeverName): readonly StoredRun[] =>
    runs.filter((run) => run.trap === trap && run.lever === name && run.change === change);
  const own = of(lever);
  const vanilla = of("vanilla");
  if (own.length === 0 || vanilla.length === 0) return undefined;
  const finals = own.map((run) => run.final);
  const final = bootstrapInterval(finals);
  const stopped = own.filter(({ stoppedAt }) => stoppedAt !== null).length;
  const gain = difference(
    finals,
    vanilla.map((run) => run.final),
  );
  return {
    trap,
    lever,
    final,
    gain,
    collapsed: own.filter((run) => run.collapsed).length,
    low: own.filter((run) => run.final < 0.5).length,
    stopped,
    verdict: stopped > 0 ? "stops" : verdictOf(lever, final, gain),
  };
}

function verdictOf(lever: LeverName, final: Interval, gain: Interval): LeverEffect["verdict"] {
  if (lever === "vanilla") return "no effect shown";
  if (gain.low > 0) return final.mean >= 0.9 ? "mends" : "helps";
  return gain.high < 0 ? "hurts" : "no effect shown";
}
