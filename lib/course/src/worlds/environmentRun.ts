import { make } from "turnwise/internal/env/index";
import { libraryWorlds } from "turnwise/internal/env/worlds";
import type { PolicyOptions } from "turnwise/internal/policy/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { createRng } from "turnwise/internal/base/rng";
import { train } from "turnwise/internal/train/index";
import { evaluatePolicy } from "turnwise/internal/train/evaluate";

/** One row of the table of environments: a world and the policy that learns in it. */
export interface World {
  /** The environment's id, and what was changed of it. */
  readonly name: string;
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly policy: PolicyOptions;
}

/** The library's worlds, each with its default options and the policy that it names for the table. */
export const worlds: readonly World[] = Object.freeze(
  libraryWorlds.map(({ id, policy }) => ({ name: id, id, options: {}, policy })),
);

/** One budget for every world; the episodes of the evaluation come on top. */
export const environmentBudget = Object.freeze({
  updates: 400,
  groups: 8,
  groupSize: 8,
  evaluationEpisodes: 2000,
});

/** A rule that every world is trained with. */
export type EnvironmentRule = "grpo" | "seeUpo";

/** Return of a trained policy, on episodes that training did not see. */
export interface EnvironmentResult {
  /** Mean undiscounted return. */
  readonly mean: number;
  readonly standardError: number;
  readonly samples: number;
  readonly optimizerSteps: number;
  /** Duration of training. */
  readonly seconds: number;
}

/**
 * The rule with Adam at .03 and as many steps per batch as there are turns: `seeUpo` takes one for each turn, `grpo` as many for
 * all turns together. Both get the same samples and, but for turns that no trajectory reaches, the same number of steps.
 */
export function environmentRecipe(rule: EnvironmentRule, turns: number): Recipe {
  return recipe(rule, {
    update: {
      epochs: rule === "seeUpo" ? 1 : turns,
      minibatches: 1,
      optimizer: { kind: "adam", learningRate: 0.03 },
    },
  });
}

/** Trains in a world from a seed, then evaluates. Equal arguments give equal results, except for the seconds. */
export async function environmentRun(
  world: World,
  rule: EnvironmentRule,
  seed: number,
  o: { readonly updates?: number; readonly evaluationEpisodes?: number } = {},
): Promise<EnvironmentResult> {
  const { updates, evaluationEpisodes, ...batch } = { ...environmentBudget, ...o };
  const env = make(world.id, world.options);
  const run = train({
    env,
    policy: world.policy,
    recipe: environmentRecipe(rule, env.spec.maxTurns),
    updates,
    ...batch,
    seed,
  });
  let last = { samples: 0, optimizerSteps: 0, seconds: 0 };
  for await (const record of run) last = record;
  const rng = createRng(seed).split("environmentRun");
  const played = evaluatePolicy(env, run.policy, { episodes: evaluationEpisodes, greedy: false, rng });
  return {
    mean: played["eval/return"]!,
    standardError: played["eval/standardError"]!,
    samples: last.samples,
    optimizerSteps: last.optimizerSteps,
    seconds: last.seconds,
  };
}
