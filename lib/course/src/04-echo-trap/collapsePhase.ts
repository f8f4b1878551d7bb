import type { StoredRun } from "../shared/echoTrap/stored";
import { traps } from "../shared/echoTrap/traps";

/** Runs of trap A at one learning rate and number of optimizer steps per batch. */
export interface PhaseCell {
  readonly learningRate: number;
  /** Optimizer steps on one batch. */
  readonly steps: number;
  readonly runs: number;
  /** Runs that rose and ended below 75% of their best. */
  readonly collapsed: number;
  /** Runs that fell at some time, recovered or not. */
  readonly fell: number;
}

/** Chart of how often trap A's world collapses, by Adam's learning rate and then by the number of steps per batch. */
export function collapsePhase(runs: readonly StoredRun[]): readonly PhaseCell[] {
  const cells = new Map<string, PhaseCell>();
  for (const run of runs) {
    const learningRate = rateOf(run);
    if (learningRate === undefined) continue;
    const steps = run.optimizerSteps / traps.reuse.updates;
    const key = `${learningRate} ${steps}`;
    const cell = cells.get(key) ?? { learningRate, steps, runs: 0, collapsed: 0, fell: 0 };
    cells.set(key, {
      ...cell,
      runs: cell.runs + 1,
      collapsed: cell.collapsed + (run.collapsed ? 1 : 0),
      fell: cell.fell + (run.fall === null ? 0 : 1),
    });
  }
  return [...cells.values()].sort((a, b) => a.learningRate - b.learningRate || a.steps - b.steps);
}

/** Adam's learning rate of a run of the phase diagram; undefined for any other run. */
function rateOf({ trap, lever, change }: StoredRun): number | undefined {
  if (trap !== "reuse") return undefined;
  if (change === "") {
    return lever === "vanilla" || lever === "1 step per batch"
      ? traps.reuse.optimizer.learningRate
      : undefined;
  }
  const rate = /^adam=(\S+) epochs=\d+ minibatches=\d+$/.exec(change);
  return lever === "vanilla" && rate ? Number(rate[1]) : undefined;
}
