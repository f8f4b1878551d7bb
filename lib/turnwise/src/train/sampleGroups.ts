import type { Metrics } from "../base/glossary";
import type { Rng } from "../base/rng";
import { mergeObjects } from "../base/mergeObjects";
import type { Batch } from "../batch/batch";
import { concatBatches, selectTrajectories } from "../batch/select";
import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { collect } from "../rollout/collect";
import { withMismatch } from "../rollout/mismatch";
import { filterGroups, type Recipe } from "../rule";
import { filterOf } from "../rule/filter";
import { forksOf } from "../rule/forks";
import { collectWithDemonstrations, playedByPolicy } from "./distil/demonstrate";
import { mergeMetrics, rolloutMetrics } from "./records";
import type { TrainSettings } from "./settings";
import type { UpdateObserver } from "./witness";

/** Settings that shape the rollout of an update. */
export interface Sampling {
  readonly env: Env;
  readonly policy: Policy;
  readonly recipe: Recipe;
  /** Policy that plays the demonstrations of a rule that asks for some. */
  readonly demonstrator?: Policy | undefined;
  readonly groups: number;
  readonly groupSize: number;
  readonly temperature: number;
  readonly logProbNoise: number;
  /** Default 1: tokens are drawn from the whole distribution. */
  readonly topP?: number;
  /** Default processed. */
  readonly rolloutLogProb?: TrainSettings["rolloutLogProb"];
  /** Policy that samples; default: the one that learns. */
  readonly sampler?: () => Policy;
}

/**
 * Samples groups and keeps those that the rule's filter lets through.
 *
 * Dynamic sampling draws again until `groups` of them are kept, at most `maxGenerations` times, and drops the surplus.
 */
export function sampleGroups(
  { env, policy, recipe, demonstrator, groups, groupSize, temperature, logProbNoise, ...o }: Sampling,
  rng: Rng,
  witness: UpdateObserver | undefined,
): { kept: Batch | undefined; samples: number; metrics: Metrics } {
  const sampler = o.sampler?.() ?? policy;
  const generations = filterOf(recipe.filter).generations(recipe.filter);
  const kept: Batch[] = [];
  const all: Batch[] = [];
  const filterMetrics: Metrics[] = [];
  let keptGroups = 0;
  for (let generation = 0; generation < generations && keptGroups < groups; generation++) {
    const firstGroup = generation * groups;
    const asked = {
      groups,
      groupSize,
      rng: rng.split("rollout"),
      firstGroup,
      temperature,
      topP: o.topP ?? 1,
    };
    const drawn =
      demonstrator && recipe.demonstrations > 0
        ? collectWithDemonstrations(
            env,
            policy,
            { teacher: demonstrator, demonstrations: recipe.demonstrations },
            asked,
          )
        : collect(env, sampler, { ...asked, forks: forksOf(recipe.forks).plan(recipe.forks) });
    const fresh =
      o.rolloutLogProb === "raw" ? { ...drawn, oldLogProb_ntl: sampler.evaluate(drawn).logProb_ntl } : drawn;
    const batch = withMismatch(fresh, logProbNoise, rng.split("mismatch", generation));
    const { keep_n, metrics } = filterGroups(batch, recipe);
    all.push(batch);
    filterMetrics.push(metrics);
    const wanted = (groups - keptGroups) * groupSize;
    const rows: number[] = [];
    for (let n = 0; n < keep_n.length && rows.length < wanted; n++) if (keep_n[n] === 1) rows.push(n);
    keptGroups += rows.length / groupSize;
    if (rows.length === batch.shape[0]) kept.push(batch);
    else if (rows.length > 0) kept.push(selectTrajectories(batch, rows));
  }
  const sampled = all.length === 1 ? all[0]! : concatBatches(all);
  witness?.sampled(sampled);
  return {
    kept: kept.length <= 1 ? kept[0] : concatBatches(kept),
    samples: sampled.shape[0],
    metrics: mergeObjects(rolloutMetrics(playedByPolicy(sampled)), mergeMetrics(filterMetrics)),
  };
}
