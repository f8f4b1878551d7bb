import { power } from "turnwise/internal/base/elementary/power";
import { mean } from "turnwise/internal/base/statistics";
import { make, type Env } from "turnwise/internal/env/index";
import type { EnumerableEnv } from "turnwise/internal/env/env";
import { enumerateReturn, expectEnumerable } from "turnwise/internal/exact/enumerateReturn";
import { paidForSuccess } from "turnwise/internal/exact/paidForSuccess";
import type { Policy } from "turnwise/internal/policy/policy";
import { createPolicy } from "turnwise/internal/policy/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";

/** Worlds of several tasks, some of which a policy that begins uniform hardly ever solves. */
export const boundaryWorlds = Object.freeze({
  LookUp: { id: "LookUp-v0", options: {} },
  "LookUp, six facts": { id: "LookUp-v0", options: { facts: 6 } },
  "TMaze, five steps": { id: "TMaze-v0", options: { length: 5 } },
} satisfies Readonly<Record<string, { readonly id: string; readonly options: object }>>);

const rows = {
  GRPO: () => recipe("grpo"),
  "RL-PLUS": () => recipe("rlPlus"),
  "RL-PLUS, nothing shown": () => recipe("rlPlus", { demonstrations: 0 }),
} satisfies Readonly<Record<string, () => Recipe>>;

/** The rules whose boundary is measured, and the policy before any training. */
export const boundaryArms = Object.freeze(["before training", ...Object.keys(rows)] as const);

/** A run of the study. */
export interface BoundaryJob {
  readonly world: keyof typeof boundaryWorlds;
  readonly arm: string;
  readonly seed: number;
  /** Default 100. */
  readonly updates?: number;
}

/** Exact limits of a policy. */
export interface Boundary {
  /** Mean over the tasks of P(solved in one of k tries), for k = 1, 8 and 64. */
  readonly passAt1: number;
  readonly passAt8: number;
  readonly passAt64: number;
  /** Share of the tasks that one of 64 tries solves more often than not. */
  readonly support: number;
}

/** Trains for 100 updates of 8 x 8, then solves each task's success rate exactly. */
export async function boundaryRun(
  { world, arm, seed, updates = 100 }: BoundaryJob,
  report: (fraction: number) => void = () => undefined,
): Promise<Boundary> {
  const { id, options } = boundaryWorlds[world];
  const env = make(id, options);
  if (arm === "before training") return boundaryOf(env, createPolicy(env.spec, { seed }));
  const row = rows[arm as keyof typeof rows];
  const run = train({ env, recipe: row(), updates, seed });
  for await (const { update } of run) report(update / updates);
  return boundaryOf(env, run.policy);
}

/** pass@k of a policy in every start of a world, by enumeration. */
export function boundaryOf(env: Env, policy: Policy): Boundary {
  const world = expectEnumerable(env);
  const starts = world.start();
  const solved = starts.map((_, i) => enumerateReturn(judged(world, i), policy, { gradient: false }).J);
  const passAt = (k: number): number => mean(solved.map((p) => 1 - power(Math.max(0, 1 - p), k)));
  return {
    passAt1: passAt(1),
    passAt8: passAt(8),
    passAt64: passAt(64),
    support: mean(solved.map((p) => Number(1 - power(Math.max(0, 1 - p), 64) > 0.5))),
  };
}

/** The world with one start, which pays 1 for a solved task and nothing else. */
function judged(world: EnumerableEnv, start: number): EnumerableEnv {
  return { ...paidForSuccess(world), start: () => [{ ...world.start()[start]!, probability: 1 }] };
}

/**
 * `boundaryRun` as a job of a sweep.
 *
 * @public
 */
export function boundaryJob(job: BoundaryJob, { report }: JobContext): Promise<Boundary> {
  return boundaryRun(job, report);
}
