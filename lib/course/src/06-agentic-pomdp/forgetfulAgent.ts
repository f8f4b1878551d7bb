import type { Batch } from "turnwise/internal/batch/batch";
import { createRng } from "turnwise/internal/base/rng";
import { make, type Env } from "turnwise/internal/env/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect, selectTrajectories } from "turnwise/internal/rollout/index";
import { train } from "turnwise/internal/train/index";
import { rewardRecipe } from "../shared/credit/rewardRecipe";

/** Trains an agent that sees the number of the turn and the latest observation, and remembers nothing else, as `skillRun` does. */
export async function forgetfulAgent(
  world: string,
  { seed = 1, updates = 100 }: { readonly seed?: number; readonly updates?: number } = {},
): Promise<Policy> {
  const run = train({
    env: make(world),
    policy: { memory: "turnObservation" },
    recipe: rewardRecipe("trajectory"),
    updates,
    seed,
  });
  for await (const _ of run);
  return run.policy;
}

const STARTS = 64;

/** One episode for each first observation of a world, in alphabetical order, in which a policy writes its likeliest tokens. */
export function likeliestEpisodes(world: string | Env, policy: Policy): Batch {
  const env = typeof world === "string" ? make(world) : world;
  const batch = collect(env, policy, { groups: STARTS, groupSize: 1, greedy: true, rng: createRng(0) });
  const first = new Map(batch.observation_nt.map(([seen], n) => [seen!, n] as const).reverse());
  const rows = [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, n]) => n);
  return selectTrajectories(batch, rows);
}
