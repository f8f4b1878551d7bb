import { leverEffect, type LeverEffect } from "./leverEffect";
import { leverNames, type LeverName } from "./levers";
import type { StoredRun } from "./stored";
import type { TrapName } from "./traps";

/** The effect of a lever at one point of a sweep. */
export interface SweepPoint extends LeverEffect {
  /** The point, as a figure names it. */
  readonly setting: string;
}

/**
 * The effect of every lever that was measured at each point of a sweep of one trap's setting, lever by lever, vanilla first.
 *
 * `settings` maps the name of a point to the change of the trap that makes it, as `changeName` writes it.
 */
export function leverSweep(
  runs: readonly StoredRun[],
  trap: TrapName,
  settings: Readonly<Record<string, string>>,
): readonly SweepPoint[] {
  return leverNames.flatMap((lever: LeverName) =>
    Object.entries(settings).flatMap(([setting, change]) => {
      const effect = leverEffect(runs, trap, lever, change);
      return effect ? [{ ...effect, setting }] : [];
    }),
  );
}
