import { square } from "turnwise/internal/base/elementary/square";
import type { Metrics } from "turnwise/internal/base/glossary";
import type { EnumerableEnv } from "turnwise/internal/env/env";
import type { Env } from "turnwise/internal/env/index";
import type { ToolChainState } from "turnwise/internal/env/toolChain";
import { courseOf } from "turnwise/internal/monitor/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { answersGiven, type Echo } from "./drawEcho";
import { echoTrapTraining } from "./echoTrapRun";
import { cellOf } from "../shared/echoTrap/leverEffect";
import type { LeverName } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";
import { frequentResponses, type Transcript } from "./transcripts";
import { traps, type TrapName } from "../shared/echoTrap/traps";

/** A run that was trained just now, with what the stored runs do not keep. */
export interface LiveRun {
  readonly trap: TrapName;
  readonly seed: number;
  /** Measurements at each update. */
  readonly metrics: readonly Metrics[];
  /** Distance that each update moved the parameters, steps taken together: Euclidean. */
  readonly moved: readonly number[];
  /** First update at which the mean success of 10 updates is below 75% of its best; null if there is none. */
  readonly fall: number | null;
  /** The update after which `said` was written down: 15 updates before the fall, or the middle of a run that did not fall. */
  readonly saidAt: number;
  /** Most frequent responses of the agent at that time. */
  readonly said: readonly Transcript[];
  /** Most frequent responses at the end, on the same tasks. */
  readonly says: readonly Transcript[];
  /** The answers given to each task, from the start over the fall to the end. */
  readonly echoes: readonly Echo[];
}

const BEFORE = 15;

/** The numbers of updates at which a film of seven pictures shows a run: close to a fall, if there is one. */
function filmed(end: number, fall: number | null): readonly number[] {
  const times =
    fall === null
      ? [0, 1, 2, 3, 4, 5, 6].map((i) => Math.round((i * end) / 6))
      : [0, (fall - BEFORE) / 2, fall - BEFORE, fall, fall + BEFORE, (fall + BEFORE + end) / 2, end].map(
          (time) => Math.min(end, Math.max(0, Math.round(time))),
        );
  return [...new Set(times)];
}

/**
 * Trains one run of a trap and watches it: its metrics, how far each update moves the policy, and what the agent says before it
 * falls and at the end.
 *
 * @example
 * import { liveRun } from "turnwise-course/echo-trap";
 * const run = await liveRun({ trap: "reuse", seed: 2, updates: 3 });
 * run.metrics.length; // => 3
 */
export async function liveRun({
  trap,
  lever = "vanilla",
  seed,
  updates,
}: {
  readonly trap: TrapName;
  readonly lever?: LeverName;
  readonly seed: number;
  readonly updates?: number;
}): Promise<LiveRun> {
  const run = echoTrapTraining({ trap, lever, seed, ...(updates !== undefined && { change: { updates } }) });
  const metrics: Metrics[] = [];
  const moved: number[] = [];
  const policies: Policy[] = [run.policy.clone()];
  for await (const record of run) {
    metrics.push(record.metrics);
    moved.push(distance(policies.at(-1)!, run.policy));
    policies.push(run.policy.clone());
  }
  const { fall } = courseOf(metrics.map((one) => one["success/mean"]));
  const saidAt = fall === null ? Math.floor(metrics.length / 2) : Math.max(0, fall - BEFORE);
  return {
    ...{ trap, seed, metrics, moved, fall, saidAt },
    said: saying(run.env, policies[saidAt]!),
    says: saying(run.env, run.policy),
    echoes: filmed(metrics.length, fall).map((after) => ({
      after,
      answer: answersGiven(run.env as EnumerableEnv<ToolChainState>, policies[after]!),
    })),
  };
}

const saying = (env: Env, policy: Policy): readonly Transcript[] => frequentResponses(env, policy, 4);

function distance(before: Policy, after: Policy): number {
  const [a, b] = [before.parameters, after.parameters];
  return Math.sqrt(a.reduce((sum, x, i) => sum + square(b[i]! - x), 0));
}

/**
 * The first seed whose stored run of a trap rose and stayed down.
 *
 * @throws {RangeError} if no stored run of the trap did
 */
export function firstCollapse(runs: readonly StoredRun[], trap: TrapName): number {
  const seeds = cellOf(runs, trap, "vanilla").flatMap(({ seed, collapsed }) => (collapsed ? [seed] : []));
  if (seeds.length === 0) {
    throw new RangeError(
      `Cannot find a collapse: a stored run of "${traps[trap].title}" must have one, but none of ${cellOf(runs, trap, "vanilla").length} has.`,
    );
  }
  return Math.min(...seeds);
}
