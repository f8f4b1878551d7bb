import { enumerateReturn } from "turnwise/internal/exact/index";
import type { Env } from "turnwise/internal/env/env";
import type { Policy } from "turnwise/internal/policy/index";
import type { TrainRecord } from "turnwise/internal/train/index";

/** Samples, environment steps and optimizer steps of a run. */
export interface Cost {
  readonly samples: number;
  readonly steps: number;
  readonly optimizerSteps: number;
}

/** Exact results of a run, and its cost. */
export interface Outcome extends Cost {
  /** Share of episodes that are solved. */
  readonly success: number;
  /** The second number of the system: units read, tasks that were known before, or 0. */
  readonly second: number;
  /** Return in the world that it was trained in: by this, rates are chosen. */
  readonly trained: number;
}

/** An arm of a system, trained at a learning rate of Adam. */
export interface ArmRun {
  readonly rate: number;
  readonly seed: number;
  /** To be called with the share that is done. */
  readonly report: (fraction: number) => void;
}

/** The exact return of a policy. */
export const exactReturn = (env: Env, policy: Policy): number =>
  enumerateReturn(env, policy, { gradient: false }).J;

/** Plays a run to its end, and counts what it cost. */
export async function costOf(
  run: AsyncIterable<TrainRecord>,
  updates: number,
  report: (fraction: number) => void = () => undefined,
): Promise<Cost> {
  let cost: Cost = { samples: 0, steps: 0, optimizerSteps: 0 };
  for await (const { update, samples, optimizerSteps, metrics } of run) {
    cost = { samples, optimizerSteps, steps: cost.steps + metrics["rollout/steps"]! };
    report(update / updates);
  }
  return cost;
}
