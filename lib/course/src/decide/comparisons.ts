import { gain, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { judgeOf, type Decision } from "turnwise/internal/verdict/decide";
import { holmLevels } from "turnwise/internal/verdict/holm";
import { echoTrapEffects } from "../shared/echoTrap/effects";
import { cellOf, leverGain, valuesOf } from "../shared/echoTrap/leverEffect";
import { leverNames, type LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";
import type { TrapName } from "../shared/echoTrap/traps";

/** Difference that would change a training run: five points of success. */
export const smallest = echoTrapEffects.success;

/** The seeds that look, 0 to 19, and those that confirm, as in `leverGain`. */
const confirmFrom = 20;

/** A fix compared with plain GRPO over the same seeds, in one of the traps of lesson 04. */
export interface Comparison {
  readonly fix: LeverName;
  /** Of all seeds, without regard to the halves. */
  readonly all: Effect;
  readonly halves: readonly [Effect, Effect];
  /** The decision of the interval of all seeds, as if this were the only comparison. */
  readonly alone: Decision;
  /** The level that Holm's procedure leaves to this comparison among all fixes of the trap. */
  readonly level: number;
  /** The decision at that level, which both halves must share. */
  readonly decided: Decision;
}

/** Final success of plain GRPO in a trap, seed by seed. */
export const plainRuns = (runs: readonly StoredRun[], trap: TrapName): number[] =>
  cellOf(runs, trap, "vanilla").map(({ final }) => final);

/** Every fix that was run in a trap, decided as one family. */
export function comparisonsOf(runs: readonly StoredRun[], trap: TrapName): Comparison[] {
  const values = (fix: LeverName): SeedValue[] => valuesOf(cellOf(runs, trap, fix), ({ final }) => final);
  const plain = values("vanilla");
  const fixes = leverNames.filter((fix) => fix !== "vanilla" && values(fix).length > 0);
  const family = fixes.map((fix) => judgeOf({ effect: leverGain(runs, trap, fix)! }, smallest, "gain"));
  const levels = holmLevels(family);
  const numbers = (list: readonly SeedValue[], fits: (seed: number) => boolean): number[] =>
    list.filter(({ seed }) => fits(seed)).map(({ value }) => value);
  return fixes.map((fix, i) => {
    const over = (fits: (seed: number) => boolean): Effect =>
      gain(numbers(values(fix), fits), numbers(plain, fits));
    const all = over(() => true);
    return {
      fix,
      all,
      halves: [over((seed) => seed < confirmFrom), over((seed) => seed >= confirmFrom)],
      alone: judgeOf({ effect: all }, smallest, "gain").decide(0.95).kind,
      level: levels[i]!,
      decided: family[i]!.decide(levels[i]!).kind,
    };
  });
}
