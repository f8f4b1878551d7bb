import { bootstrapInterval } from "turnwise/internal/base/interval";
import { shareInterval } from "turnwise/internal/base/share";
import { shown } from "turnwise/internal/verdict/words";
import { matchedArms, matchedSeeds, matchedWorlds, type MatchedWorld } from "./design";
import type { MatchedRun } from "./run";

/** The outcomes of the runs of an arm, and their mean cost. */
export interface MatchedSummary {
  readonly arm: string;
  readonly rate: number;
  readonly seeds: number;
  /** Mean success with its interval of coverage .95. */
  readonly success: string;
  /** Mean success of the seeds that find, and of those that confirm. */
  readonly halves: string;
  /** Number of stuck seeds, with the interval of their share. */
  readonly stuck: string;
  readonly samples: number;
  readonly turns: number;
  readonly optimizerSteps: number;
  readonly passes: number;
  readonly klFirst: number;
  readonly kl: number;
}

/** Whether a run has not learned the task. */
export const isStuck = ({ world, success }: Pick<MatchedRun, "world" | "success">): boolean =>
  !(success >= matchedWorlds[world].stuckBelow);

export const meanOf = (
  runs: readonly MatchedRun[],
  name: "success" | "samples" | "turns" | "optimizerSteps" | "passes" | "klFirst" | "kl",
): number => runs.reduce((sum, run) => sum + run[name], 0) / runs.length;

/**
 * The arms of a world that have runs, a line each: success, stuck seeds, and the real samples, steps, passes and KL. Seeds from
 * `confirmFrom` on confirm.
 */
export function matchedTable(
  world: MatchedWorld,
  runs: readonly MatchedRun[],
  confirmFrom: number = matchedSeeds.confirmFrom,
): MatchedSummary[] {
  return matchedArms(world).flatMap(({ name: arm }) => {
    const own = runs.filter((run) => run.world === world && run.arm === arm);
    if (own.length === 0) return [];
    const stuck = own.filter(isStuck).length;
    return {
      arm,
      rate: own[0]!.rate,
      seeds: own.length,
      success: shown(bootstrapInterval(own.map(({ success }) => success))),
      halves: [true, false].map((finds) => halfOf(own, confirmFrom, finds)).join(" : "),
      stuck: `${stuck} of ${own.length}, ${shown(shareInterval(stuck, own.length), 2)}`,
      samples: Math.round(meanOf(own, "samples")),
      turns: Math.round(meanOf(own, "turns")),
      optimizerSteps: Math.round(meanOf(own, "optimizerSteps")),
      passes: Number(meanOf(own, "passes").toFixed(2)),
      klFirst: Number(meanOf(own, "klFirst").toPrecision(3)),
      kl: Number(meanOf(own, "kl").toPrecision(3)),
    };
  });
}

/** Mean success of one half of the seeds; a dash if it has no run. */
function halfOf(runs: readonly MatchedRun[], confirmFrom: number, finds: boolean): string {
  const own = runs.filter(({ seed }) => seed < confirmFrom === finds);
  return own.length === 0 ? "-" : meanOf(own, "success").toFixed(3);
}
