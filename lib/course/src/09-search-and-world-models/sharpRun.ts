import { createPolicy } from "turnwise/internal/policy/create";
import { enumerateReturn, optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { shapleyTeams, type ShapleyTeam } from "./shapleyRun";

/** The budget of each team in environment steps, chosen before the runs on seed 1000, which is none of the study's. */
export const sharpSteps = Object.freeze({
  "scout, opener": 8_000,
  "finder, answerer": 10_000,
  "searcher, reader, answerer": 10_000,
} satisfies Record<ShapleyTeam, number>);

/**
 * SHARP's rule, whose turns earn the team's return and what would be lost without their agent, and the same rule with weight 0 on the
 * loss: both have its reward for calls and its baseline for each agent.
 */
export const sharpArms = Object.freeze({ "with losses": 1, broadcast: 0 } as const);

/** An arm of `sharpArms`. */
export type SharpArm = keyof typeof sharpArms;

/** One training of a team. */
export interface SharpJob {
  readonly team: ShapleyTeam;
  readonly arm: SharpArm;
  readonly seed: number;
}

/**
 * Which environment steps count: all that were taken, or those of the team's own episodes alone, as if a masked agent's could be had
 * for nothing. For the broadcast they are the same.
 */
export const sharpCounts = Object.freeze(["every step", "masks for free"] as const);

/** Score of a team after a share of its budget, exact: random agents 0, the optimum 1. */
export interface SharpPoint {
  readonly count: (typeof sharpCounts)[number];
  /** Of the budget, in quarters. */
  readonly share: number;
  readonly updates: number;
  readonly score: number;
}

/** Shares of the budget after which a team is judged. */
export const sharpShares = Object.freeze([0.25, 0.5, 0.75, 1] as const);

/** The rule of an arm, with the learning rate that the team has in the study of its shares. */
export function sharpRow({ team, arm }: Omit<SharpJob, "seed">): Recipe {
  return recipe("sharp", {
    reward: { step: { kind: "marginal", weight: sharpArms[arm] } },
    update: { optimizer: { kind: "adam", learningRate: shapleyTeams[team].rate } },
  });
}

/**
 * Trains a team until its own episodes have used up the budget, and looks at it after each share of the budget by either count.
 *
 * Each trajectory is played again for every agent that is masked, so that an update of two agents costs up to three times its steps.
 */
export async function sharpRun({ team, arm, seed }: SharpJob): Promise<SharpPoint[]> {
  const env = shapleyTeams[team].env();
  const budget = sharpSteps[team];
  const reference = { random: randomReturn(env), optimal: optimalReturn(env).J };
  const policy = createPolicy(env.spec, { memory: "turnObservation", seed });
  const rule = sharpRow({ team, arm });
  const taken = { "every step": 0, "masks for free": 0 };
  const points: SharpPoint[] = [];
  let played = 0;
  for await (const { update, samples, metrics } of train({
    env,
    policy: () => policy,
    recipe: rule,
    updates: budget,
    seed,
  })) {
    const own = metrics["rollout/steps"]!;
    const masked = sharpArms[arm] > 0 ? metrics["stepReward/evaluations"]! * (samples - played) : 0;
    played = samples;
    taken["masks for free"] += own;
    taken["every step"] += own + masked;
    let now: number | undefined;
    for (const count of sharpCounts) {
      const seen = points.filter((point) => point.count === count).length;
      for (const share of sharpShares.slice(seen)) {
        if (taken[count] < share * budget) break;
        now ??= score(enumerateReturn(env, policy, { gradient: false }).J, reference);
        points.push({ count, share, updates: update, score: now });
      }
    }
    if (taken["masks for free"] >= budget) break;
  }
  return points;
}

/**
 * `sharpRun` as a job of a sweep.
 *
 * @public
 */
export function sharpJob(job: SharpJob): Promise<SharpPoint[]> {
  return sharpRun(job);
}
